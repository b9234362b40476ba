// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/semidefinite.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "support/check.hpp"

using namespace gramian;

namespace {

/// Q diag(values) Qᵀ with a reflection Q.
Matrix with_eigenvalues(const Matrix& values) {
  const Index n = values.rows();
  Matrix Q(n, n), A = Matrix::filled(n, n, 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) Q(i, j) = (i == j ? 1.0 : 0.0) - 2.0 / static_cast<double>(n);
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) A(i, j) += Q(i, k) * values(k, 0) * Q(j, k);
    }
  }
  return A;
}

Matrix column(std::initializer_list<double> numbers) {
  Matrix out(static_cast<Index>(numbers.size()), 1);
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out;
}

}  // namespace

TEST(rounding_becomes_zero_and_a_mistake_is_refused) {
  Matrix values = column({-1e-7, 0.25, 1.0});
  clamp_eigenvalues(values.view(), 1e-6, "K");
  CHECK_EQ(values(0, 0), 0.0);
  CHECK_EQ(values(1, 0), 0.25);
  values(0, 0) = -1e-5;
  CHECK_THROWS(std::invalid_argument, clamp_eigenvalues(values.view(), 1e-6, "K"));
  clamp_eigenvalues(values.view(), 1e-6, "K", 20.0);  // of what cancelled
  CHECK_EQ(values(0, 0), 0.0);
  CHECK_THROWS(std::invalid_argument, clamp_eigenvalues(column({-1e-300}).view(), 1e-6, "K"));
}

TEST(both_tests_of_a_matrix_agree) {
  for (const double least : {0.5, 0.0, -1e-9, -1e-7, -1e-5, -0.5}) {
    const Matrix A = with_eigenvalues(column({3.0, least, 1.0, 0.0}));
    Matrix values(4, 1), vectors(4, 4);
    if (least >= -1e-7) {
      require_semidefinite(A.view(), "A");
      decompose(A.view(), values, vectors, "A");
      CHECK(values(0, 0) >= 0.0);
      CHECK_NEAR(values(3, 0), 3.0, 1e-12);
    } else {
      CHECK_THROWS(std::invalid_argument, require_semidefinite(A.view(), "A"));
      CHECK_THROWS(std::invalid_argument, decompose(A.view(), values, vectors, "A"));
    }
  }
  require_semidefinite(Matrix::filled(3, 3, 0.0).view(), "A");
}

TEST(a_row_bounds_all_eigenvalues) {
  const Matrix A = with_eigenvalues(column({-4.0, 2.0, 1.0}));
  CHECK(largest_row(A.view()) >= 4.0);
  CHECK_EQ(largest_row(column({-2.0, 1.0}).view()), 2.0);
}

TEST_MAIN
