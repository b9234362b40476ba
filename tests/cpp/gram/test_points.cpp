// SPDX-License-Identifier: BSD-3-Clause
// The same points as dense rows, as sparse rows and as inner products give the same Gram matrices.
#include "gramian/gram/points.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"
#include "support/sparse_copy.hpp"

using gramian::full;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::product;
using naive::Expression;
using naive::Matrix;
using naive::Real;
using naive::Sparse;
using naive::sparse_of;

namespace {

/// About a third of the entries, and some rows without any.
template <class T>
Matrix<T> scattered(Index n, Index d, std::uint64_t seed) {
  auto X = naive::normal<T>(n, d, seed);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      if (i % 7 == 3 || (i + k * 2) % 3 != 0) X(i, k) = T(0);
    }
  }
  return X;
}

template <class T>
Matrix<T> inner_products(const Matrix<T>& X, const Matrix<T>& Y) {
  Matrix<T> out(X.view.rows(), Y.view.rows());
  for (Index i = 0; i < X.view.rows(); ++i) {
    for (Index j = 0; j < Y.view.rows(); ++j) {
      out(i, j) = static_cast<T>(naive::facts_of(naive::point(X.view, i), naive::point(Y.view, j)).inner);
    }
  }
  return out;
}

template <class T>
Matrix<T> squares(const Matrix<T>& X) {
  Matrix<T> out(X.view.rows(), 1);
  for (Index i = 0; i < X.view.rows(); ++i) {
    const naive::Numbers x = naive::point(X.view, i);
    out(i, 0) = static_cast<T>(naive::facts_of(x, x).inner);
  }
  return out;
}

/// Around the origin: nothing of these points can be centred.
template <class T>
void compare(const Expression& e, const char* what, const Matrix<T>& X, const Matrix<T>& Y, const Matrix<T>& K) {
  const naive::Numbers origin(static_cast<std::size_t>(X.view.cols()), 0);
  const std::vector<naive::Numbers> x = naive::points(X.view), y = naive::points(Y.view);
  const Index entries = K.view.rows() * K.view.cols(), step = entries / 3000 + 1;
  for (Index entry = 0; entry < entries; entry += step) {
    const Index i = entry / K.view.cols(), j = entry % K.view.cols();
    const naive::Bounded wanted =
        naive::with_error(e, x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(j)], origin, naive::unit_roundoff<T>);
    if (std::fabs(static_cast<Real>(K.view(i, j)) - wanted.value) <= wanted.error) continue;
    check::fail(__FILE__, __LINE__,
                e.name + ", " + what + " (" + std::to_string(i) + ", " + std::to_string(j) + "): " + check::show(K.view(i, j)) +
                    " and " + check::show(wanted.value));
    return;
  }
}

template <class T>
bool symmetric(const Matrix<T>& K) {
  for (Index i = 0; i < K.view.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (K.view(i, j) != K.view(j, i)) return false;
    }
  }
  return true;
}

template <class T>
void compare_sparse(const Expression& e, Index n, Index m, Index d) {
  const auto X = scattered<T>(n, d, 61), Y = scattered<T>(m, d, 62);
  const Sparse<T> sparse_x = sparse_of(X), sparse_y = sparse_of(Y);
  const Kernel kernel = naive::kernel_of(e);
  Matrix<T> S(n, n), C(n, m), D(n, 1);
  full(kernel, sparse_x.rows(), S.view);
  full(kernel, sparse_x.rows(), sparse_y.rows(), C.view);
  gramian::diagonal(kernel, sparse_x.rows(), D.view);
  compare(e, "sparse, one set", X, X, S);
  compare(e, "sparse, two sets", X, Y, C);
  check::that(symmetric(S), e.name + ": sparse points give no symmetric matrix", __FILE__, __LINE__);
  for (Index i = 0; i < n; ++i) CHECK_EQ(D(i, 0), S(i, i));
}

template <class T>
void compare_inner(const Expression& e, Index n, Index m, Index d) {
  const auto X = naive::normal<T>(n, d, 63), Y = naive::normal<T>(m, d, 64);
  const auto XX = inner_products(X, X), XY = inner_products(X, Y), x_squares = squares(X), y_squares = squares(Y);
  const Kernel kernel = naive::kernel_of(e);
  Matrix<T> S(n, n), C(n, m);
  full(kernel, InnerProducts<T>(XX.view), S.view);
  full(kernel, InnerProducts<T>(XY.view, x_squares.view, y_squares.view), C.view);
  compare(e, "inner products of one set", X, X, S);
  compare(e, "inner products of two sets", X, Y, C);
  check::that(symmetric(S), e.name + ": inner products give no symmetric matrix", __FILE__, __LINE__);
}

}  // namespace

TEST(sparse_rows_are_the_points_that_they_hold) {
  for (const Expression& e : naive::inner_product_samples()) {
    for (const Index n : {0, 1, 3, 50, 230}) {
      compare_sparse<double>(e, n, n / 2 + 1, 11);
      compare_sparse<float>(e, n, n / 2 + 1, 11);
    }
  }
}

TEST(inner_products_are_enough) {
  for (const Expression& e : naive::inner_product_samples()) {
    for (const Index n : {0, 1, 3, 50, 230}) {
      compare_inner<double>(e, n, n / 2 + 1, 4);
      compare_inner<float>(e, n, n / 2 + 1, 4);
    }
  }
}

TEST(products_of_sparse_rows_and_inner_products_are_those_with_the_stored_matrix) {
  const Index n = 230, m = 120;
  const auto X = scattered<double>(n, 9, 65), Y = scattered<double>(m, 9, 66), V = naive::normal<double>(m, 3, 67);
  const auto W = naive::normal<double>(n, 3, 68);
  const Sparse<double> sparse_x = sparse_of(X), sparse_y = sparse_of(Y);
  const auto XX = inner_products(X, X), XY = inner_products(X, Y), x_squares = squares(X), y_squares = squares(Y);
  const InnerProducts<double> one(XX.view), two(XY.view, x_squares.view, y_squares.view);
  for (const Expression& e : naive::inner_product_samples()) {
    const Kernel kernel = naive::kernel_of(e);
    Matrix<double> S(n, n), C(n, m), a(n, 3), b(n, 3), c(n, 3), d(n, 3);
    full(kernel, one, S.view);
    full(kernel, two, C.view);
    product(kernel, sparse_x.rows(), W.view, a.view);
    product(kernel, one, W.view, b.view);
    product(kernel, sparse_x.rows(), sparse_y.rows(), V.view, c.view);
    product(kernel, two, V.view, d.view);
    for (Index i = 0; i < n; i += 3) {
      double square = 0.0, cross = 0.0, size = 1.0;
      for (Index j = 0; j < n; ++j) square += S(i, j) * W.view(j, 1), size += std::fabs(S(i, j) * W.view(j, 1));
      for (Index j = 0; j < m; ++j) cross += C(i, j) * V.view(j, 1), size += std::fabs(C(i, j) * V.view(j, 1));
      const double tolerance = 1e-13 * size;
      CHECK_NEAR(b(i, 1), square, tolerance);
      CHECK_NEAR(d(i, 1), cross, tolerance);
      // Kernels that take the root of a distance or of 1 - cos^2 see 1e-16 as 1e-8 where points meet.
      CHECK_NEAR(a(i, 1), square, 1e-7 * size);
      CHECK_NEAR(c(i, 1), cross, 1e-7 * size);
    }
  }
}

TEST(coordinates_are_refused_where_there_are_none) {
  const auto X = scattered<double>(6, 2, 69);
  const Sparse<double> sparse = sparse_of(X);
  const auto XX = inner_products(X, X), V = naive::normal<double>(6, 1, 70);
  Matrix<double> K(6, 6), out(6, 1);
  for (const Expression& e : naive::all_samples(2)) {
    if (!naive::needs_coordinates(e)) continue;
    const Kernel kernel = naive::kernel_of(e);
    CHECK_THROWS(std::invalid_argument, full(kernel, sparse.rows(), K.view));
    CHECK_THROWS(std::invalid_argument, full(kernel, sparse.rows(), sparse.rows(), K.view));
    CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(XX.view), K.view));
    CHECK_THROWS(std::invalid_argument, product(kernel, sparse.rows(), V.view, out.view));
    CHECK_THROWS(std::invalid_argument, product(kernel, InnerProducts<double>(XX.view), V.view, out.view));
  }
}

TEST(bad_sparse_rows_and_inner_products_are_refused) {
  const Kernel kernel("gaussian", {1.0});
  const auto X = scattered<double>(4, 3, 71);
  Matrix<double> K(4, 4), C(3, 4);
  Sparse<double> bad = sparse_of(X);
  bad.columns[1] = 3;
  CHECK_THROWS(std::invalid_argument, full(kernel, bad.rows(), K.view));
  bad = sparse_of(X);
  bad.values[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, full(kernel, bad.rows(), K.view));
  bad = sparse_of(X);
  std::swap(bad.start[1], bad.start[2]);
  CHECK_THROWS(std::invalid_argument, full(kernel, bad.rows(), K.view));
  CHECK_THROWS(std::invalid_argument, full(kernel, sparse_of(X).rows(), X.view, K.view));

  auto XX = inner_products(X, X);
  const auto wide = inner_products(scattered<double>(3, 3, 72), X);
  const auto three = squares(scattered<double>(3, 3, 72)), four = squares(X);
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(wide.view), C.view));
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(wide.view, four.view, four.view), C.view));
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(wide.view, three.view, three.view), C.view));
  XX(1, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(XX.view), K.view));
  XX(1, 2) = XX(2, 1) = 0.0;
  XX(3, 3) = -1.0;
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(XX.view), K.view));
}

TEST_MAIN
