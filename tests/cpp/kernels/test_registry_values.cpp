// SPDX-License-Identifier: BSD-3-Clause
// Every kernel in every operation that evaluates it, against the double loop.
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

using gramian::full;
using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::product;
using gramian::set_num_threads;
using naive::Expression;
using naive::leaf;
using naive::Matrix;
using naive::Real;

namespace {

std::string place(const Expression& e, const char* what, Index i, Index j) {
  return e.name + (naive::has_scales(e) ? " with length scales" : "") + ", " + what + "(" + std::to_string(i) + ", " +
         std::to_string(j) + ")";
}

/// At most about 1000 entries, spread over the whole matrix.
template <class T>
void compare(const Expression& e, const char* what, const MatrixView<T>& X, const MatrixView<T>& Y, const MatrixView<T>& K) {
  const std::vector<naive::Numbers> x = naive::points(X), y = naive::points(Y);
  const naive::Numbers centre = naive::mean(y, Y.cols());
  const Index entries = K.rows() * K.cols(), step = entries < 1000 ? 1 : entries / 1000 + 1;
  for (Index entry = 0; entry < entries; entry += step) {
    const Index i = entry / K.cols(), j = entry % K.cols();
    const naive::Bounded wanted =
        naive::with_error(e, x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(j)], centre, naive::unit_roundoff<T>);
    const Real got = static_cast<Real>(K(i, j));
    if (std::fabs(got - wanted.value) <= wanted.error) continue;
    check::fail(__FILE__, __LINE__,
                place(e, what, i, j) + ": " + check::show(got) + " and " + check::show(wanted.value) + " +- " +
                    check::show(wanted.error));
    return;
  }
}

template <class T>
void compare_full(const Expression& e, const Matrix<T>& X, const Matrix<T>& Y) {
  const Index n = X.view.rows(), m = Y.view.rows();
  const Kernel kernel = naive::kernel_of(e);
  Matrix<T> S(n, n), C(n, m), D(n, 1), diagonal_of_full(n, 1);
  full(kernel, X.view, S.view);
  full(kernel, X.view, Y.view, C.view);
  gramian::diagonal(kernel, X.view, D.view);
  compare<T>(e, "symmetric", X.view, X.view, S.view);
  compare<T>(e, "cross", X.view, Y.view, C.view);
  bool symmetric = true;
  for (Index i = 0; i < n; ++i) {
    diagonal_of_full(i, 0) = S(i, i);
    for (Index j = 0; j < i; ++j) symmetric = symmetric && S(i, j) == S(j, i);
  }
  check::that(symmetric, e.name + " is not symmetric", __FILE__, __LINE__);
  check::that(D.numbers == diagonal_of_full.numbers, e.name + ": diagonal() is not that of full()", __FILE__, __LINE__);
}

/// X and Y share some rows, and each has some rows twice.
template <class T>
void with_duplicates(Matrix<T>& X, Matrix<T>& Y) {
  for (Index i = 0; i < X.view.rows(); i += 4) {
    for (Index k = 0; k < X.view.cols(); ++k) {
      if (i + 2 < X.view.rows()) X(i + 2, k) = X(i, k);
      if (i + 1 < Y.view.rows()) Y(i + 1, k) = X(i, k);
      if (i + 3 < Y.view.rows()) Y(i + 3, k) = -X(i, k);
    }
  }
}

template <class T>
void compare_sizes(Index d, const std::vector<Index>& sizes) {
  for (const Expression& e : naive::all_samples(d)) {
    for (const Index n : sizes) {
      auto X = naive::normal<T>(n, d, 11), Y = naive::normal<T>(n / 2 + 1, d, 12, 0.25);
      if (n >= 10) with_duplicates(X, Y);
      compare_full<T>(e, X, Y);
    }
  }
}

/// K(X, Y) of plain numbers.
template <class T>
Matrix<T> gram(const Expression& e, const Matrix<T>& X, const Matrix<T>& Y) {
  Matrix<T> K(X.view.rows(), Y.view.rows());
  full(naive::kernel_of(e), X.view, Y.view, K.view);
  return K;
}

Matrix<double> rows(const std::vector<std::vector<double>>& numbers) {
  Matrix<double> X(static_cast<Index>(numbers.size()), static_cast<Index>(numbers[0].size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t k = 0; k < numbers[i].size(); ++k) X(static_cast<Index>(i), static_cast<Index>(k)) = numbers[i][k];
  }
  return X;
}

}  // namespace

TEST(every_kernel_of_the_registry_has_a_formula) {
  for (const gramian::KernelInfo& info : gramian::kernel_registry()) {
    check::that(naive::formulas().count(info.name) == 1, info.name + " has no formula in the tests", __FILE__, __LINE__);
  }
}

TEST(values_are_those_of_the_double_loop) {
  const std::vector<Index> sizes = {0, 1, 2, 3, 5, 10, 50, 200};
  for (const Index d : {1, 3, 17}) {
    compare_sizes<double>(d, sizes);
    compare_sizes<float>(d, sizes);
  }
}

TEST(values_of_many_features_are_those_of_the_double_loop) {
  compare_sizes<double>(300, {3, 30});
  compare_sizes<float>(300, {3, 30});
}

TEST(parameters_and_suprema_are_in_order) {
  const Kernel nested = naive::kernel_of(naive::combined_samples(1)[3]);
  const std::vector<double> wanted = {2.0, 0.3, 1.3, 0.5, 0.7, 1.1};
  CHECK(nested.parameters() == wanted);
  const std::vector<double> scaled = {3.0, 0.5, 0.4, 0.6, 1.1, 1.5, 0.6, 1.1};
  CHECK(naive::kernel_of(naive::combined_samples(2)[5]).parameters() == scaled);
  for (const Expression& e : naive::all_samples(2))
    CHECK_EQ(naive::kernel_of(e).needs_coordinates(), naive::needs_coordinates(e));

  const double none = std::numeric_limits<double>::infinity();
  for (const Expression& e : naive::leaf_samples()) {
    const naive::Numbers far = {1e6, -2e6};
    const double there = static_cast<double>(naive::evaluate(e, far, far));
    CHECK_EQ(naive::kernel_of(e).supremum(), there > 1e3 ? none : there);
  }
  const Kernel gaussian("gaussian", {1.0}), cosine("cosine", {});
  CHECK_EQ((2.0 * gaussian + 0.5 * cosine).supremum(), 2.5);
  CHECK_EQ((3.0 * gaussian * (2.0 * cosine)).supremum(), 6.0);
  CHECK_EQ((gaussian + Kernel("linear", {})).supremum(), none);
}

TEST(zero_rows_are_where_the_definitions_say) {
  const auto X = rows({{0, 0}, {3, 4}}), Y = rows({{0, 0}, {1, -2}, {-3, -4}});
  for (const char* name : {"cosine", "arc_cosine0", "arc_cosine1", "arc_cosine2", "tanimoto"}) {
    const auto K = gram(leaf(name), X, Y);
    for (Index j = 1; j < 3; ++j) CHECK_EQ(K.view(0, j), 0.0);
    CHECK_EQ(K.view(1, 0), 0.0);
    CHECK_EQ(K.view(0, 0), std::string(name) == "tanimoto" ? 1.0 : 0.0);
    Matrix<double> S(2, 2);
    full(Kernel(name, {}), X.view, S.view);
    CHECK_EQ(S(0, 0), std::string(name) == "tanimoto" ? 1.0 : 0.0);
    CHECK_EQ(S(0, 1), 0.0);
  }
  const auto K = gram(leaf("polynomial", {3, 0.5, 2.0}), X, Y);
  CHECK_EQ(K.view(0, 1), 8.0);
}

TEST(opposite_vectors_are_at_the_other_end) {
  const auto X = rows({{3, 4}, {0.3, -0.7}}), Y = rows({{-3, -4}, {-0.6, 1.4}});
  for (Index i = 0; i < 2; ++i) {
    CHECK_NEAR(gram(leaf("cosine"), X, Y).view(i, i), -1.0, 1e-15);
    CHECK_NEAR(gram(leaf("arc_cosine0"), X, Y).view(i, i), 0.0, 2e-8);  // the angle is the root of what the cosine lost
    CHECK_NEAR(gram(leaf("arc_cosine1"), X, Y).view(i, i), 0.0, 1e-14);
    CHECK_NEAR(gram(leaf("arc_cosine2"), X, Y).view(i, i), 0.0, 1e-13);
  }
  CHECK_NEAR(gram(leaf("tanimoto"), X, Y).view(0, 0), -1.0 / 3.0, 1e-15);
}

TEST(tiny_and_large_vectors_have_an_angle) {
  for (const double size : {1e-150, 1e-30, 1e30, 1e150}) {
    const auto X = rows({{size, 2 * size}}), Y = rows({{2 * size, -size}, {size, 0}, {size, 2 * size}});
    const double root5 = std::sqrt(5.0);
    for (const auto& [name, second] :
         {std::pair<const char*, double>{"cosine", 1 / root5}, {"arc_cosine0", 1 - std::acos(1 / root5) / double(naive::pi)}}) {
      const auto K = gram(leaf(name), X, Y);
      CHECK_NEAR(K.view(0, 0), std::string(name) == "cosine" ? 0.0 : 0.5, 1e-15);
      CHECK_NEAR(K.view(0, 1), second, 1e-15);
      CHECK_NEAR(K.view(0, 2), 1.0, 1e-15);
    }
    CHECK_NEAR(gram(leaf("tanimoto"), X, Y).view(0, 1), 1.0 / 5.0, 1e-15);
  }
}

TEST(far_points_give_zero_and_no_nan) {
  for (const double distance : {1e3, 1e8, 1e30, 1e150}) {
    for (const Index d : {Index(1), Index(300)}) {
      for (const Expression& e : naive::leaf_samples()) {
        // Those of a length: some vanish as a power of the distance.
        if (!naive::info_of(e.name).width.exists() || !std::isfinite(naive::kernel_of(e).supremum())) continue;
        Matrix<double> X(1, d), Y(1, d);
        for (Index k = 0; k < d; ++k) X(0, k) = distance / std::sqrt(static_cast<double>(d)), Y(0, k) = -X(0, k);
        const double wanted = static_cast<double>(naive::evaluate(e, naive::point(X.view, 0), naive::point(Y.view, 0)));
        const double k = gram(e, X, Y).view(0, 0);
        check::that(k >= 0.0 && std::fabs(k - wanted) <= 1e-15 + 1e-12 * wanted,
                    e.name + " is " + check::show(k) + " at " + check::show(distance), __FILE__, __LINE__);
      }
    }
  }
  // Many factors, of which each alone would overflow the product: from where they are seen to where they vanish.
  for (const double distance : {0.1, 1.0, 3.0, 1e3, 1e17}) {
    for (const char* name : {"tensor_matern2", "tensor_matern3"}) {
      Matrix<double> X(1, 300), Y(1, 300);
      Matrix<float> F(1, 300), G(1, 300);
      for (Index k = 0; k < 300; ++k) X(0, k) = distance, F(0, k) = static_cast<float>(distance);
      compare<double>(leaf(name, {1.0}), "far", X.view, Y.view, gram(leaf(name, {1.0}), X, Y).view);
      compare<float>(leaf(name, {1.0}), "far", F.view, G.view, gram(leaf(name, {1.0}), F, G).view);
    }
  }
}

TEST(at_the_end_of_the_range_values_are_finite_or_refused) {
  for (const double size : {0.5e154, 0.9e154, 1.2e154, 1.8e154}) {
    const auto X = rows({{size}, {-size}});
    for (const Expression& e : naive::all_samples(1)) {
      Matrix<double> K(2, 2);
      try {
        full(naive::kernel_of(e), X.view, K.view);
        for (const double k : K.numbers)
          check::that(std::isfinite(k), e.name + " is not finite at " + check::show(size), __FILE__, __LINE__);
      } catch (const std::invalid_argument&) {
      }
    }
  }
}

TEST(extreme_mixtures_of_scales) {
  const auto X = naive::normal<double>(20, 3, 21), Y = naive::normal<double>(15, 3, 22);
  const auto F = naive::normal<float>(20, 3, 21), G = naive::normal<float>(15, 3, 22);
  for (const double alpha : {1e-3, 1e6}) {
    const Expression e = leaf("rational_quadratic", {alpha, 0.8});
    compare_full<double>(e, X, Y);
    compare_full<float>(e, F, G);
  }
  const double limit = gram(leaf("gaussian", {0.5}), X, Y).view(3, 4);
  CHECK_NEAR(gram(leaf("rational_quadratic", {1e12, 1.0}), X, Y).view(3, 4), limit, 1e-10);
  const auto A = rows({{0.0}}), B = rows({{1e150}});
  CHECK_NEAR(gram(leaf("rational_quadratic", {1e-3, 1.0}), A, B).view(0, 0),
             static_cast<double>(std::exp(-1e-3L * std::log(1 + 1e300L / 2e-3L))), 1e-15);
  CHECK_EQ(gram(leaf("rational_quadratic", {1e6, 1.0}), A, B).view(0, 0), 0.0);
}

TEST(what_overflows_is_refused) {
  const Kernel steep("polynomial", {50, 1.0, 1.0}), mixed = Kernel("gaussian", {1.0}) * steep, order2("arc_cosine2", {});
  const auto X = rows({{1e4, 1e4}, {-3e5, 2.0}});
  const auto huge = rows({{1e150, 0}, {1e140, 1e150}});
  auto V = naive::normal<double>(2, 3, 31);
  Matrix<double> K(2, 2), out(2, 3), D(2, 1);
  for (const Kernel& kernel : {steep, mixed}) {
    CHECK_THROWS(std::invalid_argument, full(kernel, X.view, K.view));
    CHECK_THROWS(std::invalid_argument, full(kernel, X.view, X.view, K.view));
    CHECK_THROWS(std::invalid_argument, product(kernel, X.view, V.view, out.view));
    CHECK_THROWS(std::invalid_argument, product(kernel, X.view, X.view, V.view, out.view));
    CHECK_THROWS(std::invalid_argument, diagonal(kernel, X.view, D.view));
  }
  CHECK_THROWS(std::invalid_argument, full(order2, huge.view, K.view));
  Matrix<float> F(2, 1), G(2, 2);
  F(0, 0) = 1.0f, F(1, 0) = 2.0f;
  CHECK_THROWS(std::invalid_argument, full(1e300 * Kernel("gaussian", {1.0}), F.view, G.view));
  CHECK_THROWS(std::invalid_argument, Kernel("polynomial", {1e10, 1.0, 1.0}));
  const auto small = rows({{0.5, 0.25}, {0.125, 0.75}});
  full(steep, small.view, K.view);
  CHECK_NEAR(K(0, 1), std::pow(1.25, 50), 1e-13 * K(0, 1));
}

namespace {

template <class T>
void compare_product(const Expression& e, Index n, Index m, Index d, Index r) {
  const auto X = naive::normal<T>(n, d, 41), Y = naive::normal<T>(m, d, 42), V = naive::normal<T>(m, r, 43),
             W = naive::normal<T>(n, r, 44);
  const Kernel kernel = naive::kernel_of(e);
  Matrix<T> S(n, n), C(n, m), one(n, r), two(n, r);
  full(kernel, X.view, S.view);
  full(kernel, X.view, Y.view, C.view);
  product(kernel, X.view, W.view, one.view);
  product(kernel, X.view, Y.view, V.view, two.view);
  const auto worst = [&](const Matrix<T>& K, const Matrix<T>& vectors, const Matrix<T>& out) {
    // Two evaluations of the same entries (they may differ by a few roundings, in cross products the sets change roles) and a sum
    // of n.
    double most = 0.0;
    for (Index i = 0; i < out.view.rows(); ++i) {
      for (Index c = 0; c < r; ++c) {
        double sum = 0.0, size = 1e-30;
        for (Index j = 0; j < K.view.cols(); ++j) {
          const double term = static_cast<double>(K.view(i, j)) * static_cast<double>(vectors.view(j, c));
          sum += term, size += std::fabs(term) + std::fabs(static_cast<double>(vectors.view(j, c)));
        }
        most = std::fmax(most, std::fabs(static_cast<double>(out.view(i, c)) - sum) / size);
      }
    }
    return most;
  };
  const double tolerance = 64.0 * static_cast<double>(naive::unit_roundoff<T>);
  check::that(worst(S, W, one) <= tolerance, e.name + ": product on one set, " + check::show(worst(S, W, one)), __FILE__,
              __LINE__);
  check::that(worst(C, V, two) <= tolerance, e.name + ": product on two sets, " + check::show(worst(C, V, two)), __FILE__,
              __LINE__);
}

}  // namespace

TEST(products_are_those_with_the_stored_matrix) {
  for (const Expression& e : naive::all_samples(4)) {
    compare_product<double>(e, 130, 201, 4, 3);
    compare_product<float>(e, 130, 201, 4, 3);
  }
}

TEST(threads_and_batches_change_no_bit) {
  const Index n = 410, m = 230, d = 3;
  const auto X = naive::normal<double>(n, d, 51), Y = naive::normal<double>(m, d, 52), V = naive::normal<double>(m, 2, 53);
  for (const Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    std::vector<std::vector<double>> seen;
    for (const int threads : {1, 2, 7}) {
      set_num_threads(threads);
      Matrix<double> S(n, n), C(n, m), out(n, 2);
      full(kernel, X.view, S.view);
      full(kernel, X.view, Y.view, C.view);
      product(kernel, X.view, Y.view, V.view, out.view);
      S.numbers.insert(S.numbers.end(), C.numbers.begin(), C.numbers.end());
      S.numbers.insert(S.numbers.end(), out.numbers.begin(), out.numbers.end());
      seen.push_back(S.numbers);
    }
    set_num_threads(0);
    check::that(seen[0] == seen[1] && seen[0] == seen[2], e.name + ": threads change bits", __FILE__, __LINE__);
    Matrix<double> row(1, m), out(1, 2);
    for (const Index i : {Index(0), Index(5), Index(191), Index(192), n - 1}) {
      const MatrixView<const double> one(&X.view(i, 0), 1, d);
      full(kernel, one, Y.view, row.view);
      product(kernel, one, Y.view, V.view, out.view);
      const double* batch = seen[0].data() + n * n;
      const bool same = std::equal(row.numbers.begin(), row.numbers.end(), batch + i * m) &&
                        std::equal(out.numbers.begin(), out.numbers.end(), batch + n * m + i * 2);
      check::that(same, e.name + ": one row is not its row of the batch", __FILE__, __LINE__);
    }
  }
}

TEST_MAIN
