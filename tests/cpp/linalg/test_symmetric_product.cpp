// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/symmetric_product.hpp"

#include <limits>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::MatrixView;
using gramian::set_num_threads;
using gramian::symmetric_product;
using gramian::view;
using namespace spectral;

namespace {

Matrix symmetric(Index n) {
  const Matrix A = normal(n, n, 1);
  return A + A.transpose();
}

/// Largest error over n |A| |V| u, entry by entry.
double worst(const Matrix& A, const Matrix& V, const Matrix& out) {
  if (out.size() == 0) return 0.0;
  const Matrix bound = A.cwiseAbs() * V.cwiseAbs();
  return ((A * V - out).cwiseAbs().array() / (bound.array() + 1e-300)).maxCoeff() / unit;
}

}  // namespace

TEST(product_is_that_of_the_whole_matrix_at_any_size) {
  for (const Index n : {0, 1, 2, 3, 5, 10, 15, 16, 17, 50, 191, 192, 193, 500, 777}) {
    for (const Index r : {1, 2, 7, 12, 25}) {
      const Matrix A = symmetric(n), V = normal(n, r, 2);
      Matrix out(n, r);
      symmetric_product(view(A), view(V), view(out));
      CHECK(worst(A, V, out) <= 10.0 + 0.1 * static_cast<double>(n));
    }
  }
}

TEST(one_triangle_alone_is_read) {
  const Index n = 400;
  const Matrix A = symmetric(n), V = normal(n, 3, 3);
  Matrix lower = A, out(n, 3), whole(n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) lower(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  symmetric_product(view(A), view(V), view(whole));
  symmetric_product(view(lower), view(V), view(out));
  CHECK(out == whole);
  // The same memory read as its transpose: the triangle that lies row by row.
  symmetric_product(MatrixView<const double>(lower.data(), n, n, 1, n), view(V), view(out));
  CHECK(out == whole);
}

TEST(views_of_any_strides_are_read_and_written) {
  const Index n = 210;
  const Matrix A = symmetric(n), V = normal(n, 4, 4);
  Matrix wide = Matrix::Zero(2 * n, 3 * n), out(n, 4), columns(4, n), plain(n, 4);
  const MatrixView<double> spaced(wide.data(), n, n, 6 * n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) spaced(i, j) = A(i, j);
  }
  symmetric_product(view(A), view(V), view(plain));
  symmetric_product(spaced, view(V), MatrixView<double>(columns.data(), n, 4, 1, n));
  CHECK(columns.transpose() == plain);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix A = symmetric(1500), V = normal(1500, 6, 5);
  Matrix one(1500, 6), other(1500, 6);
  set_num_threads(1);
  symmetric_product(view(A), view(V), view(one));
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    symmetric_product(view(A), view(V), view(other));
    CHECK(one == other);
  }
  set_num_threads(0);
}

TEST(wrong_shapes_are_refused) {
  Matrix A = symmetric(3), V = normal(3, 2, 6), out(3, 2), low(2, 3);
  CHECK_THROWS(std::invalid_argument, symmetric_product(view(low), view(V), view(out)));
  CHECK_THROWS(std::invalid_argument, symmetric_product(view(A), view(low), view(out)));
  CHECK_THROWS(std::invalid_argument, symmetric_product(view(A), view(V), view(low)));
}

TEST_MAIN
