// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_symmetric.hpp"

#include <Eigen/Eigenvalues>
#include <limits>
#include <utility>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::eigen_symmetric;
using gramian::EigenOrder;
using gramian::MatrixView;
using gramian::view;
using namespace spectral;

namespace {

void decompose_and_check(const Family& family, Index n) {
  const Matrix A = family.make(n);
  Matrix V(n, n);
  Vector values(n);
  eigen_symmetric(view(A), view(values), view(V));
  const double residual = eigen_ratio(A, values, V), orthogonality = orthogonality_ratio(V);
  if (!(residual < good && orthogonality < good)) check::fail(family.name.c_str(), static_cast<int>(n), check::show(residual));
  CHECK(residual < good);
  CHECK(orthogonality < good);
  CHECK(signs_are_fixed(V));
  for (Index i = 1; i < n; ++i) CHECK(values(i) >= values(i - 1));
}

}  // namespace

TEST(residuals_are_below_those_of_lapack_for_every_family_and_size) {
  for (const Family& family : families()) {
    for (const Index n : {0, 1, 2, 3, 5, 10, 50, 97, 131}) decompose_and_check(family, n);
  }
}

TEST(residuals_are_below_those_of_lapack_for_500) {
  for (const char* name : {"hilbert", "clustered points", "scaled up", "clustered eigenvalues"}) {
    for (const Family& family : families()) {
      if (family.name == name) decompose_and_check(family, 500);
    }
  }
}

TEST(values_are_those_of_eigen_however_large_or_small) {
  for (const double size : {1e-307, 1e-150, 1.0, 1e150, 1e305}) {
    const Matrix A = size * gaussian(normal(150, 2, 9));
    Matrix V(150, 150);
    Vector values(150);
    eigen_symmetric(view(A), view(values), view(V));
    const Eigen::SelfAdjointEigenSolver<Matrix> expected(A / size);
    CHECK(norm1(values / size - expected.eigenvalues()) <= good * 150.0 * norm1(A / size) * unit);
    CHECK(orthogonality_ratio(V) < good);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix A = gaussian(normal(600, 3, 10));
  CHECK(check::same_for_any_threads([&] {
    Matrix V(600, 600);
    Vector values(600);
    eigen_symmetric(view(A), view(values), view(V));
    return std::pair(values, V);
  }));
}

TEST(the_measure_rejects_a_wrong_answer) {
  const Matrix A = families()[2].make(50);
  Matrix V(50, 50);
  Vector values(50);
  eigen_symmetric(view(A), view(values), view(V));
  values(49) *= 1.0 + 1e-11;
  CHECK(eigen_ratio(A, values, V) > good);
  V(3, 3) += 1e-11;
  CHECK(orthogonality_ratio(V) > good);
}

TEST(descending_is_the_reverse) {
  const Matrix A = gaussian(normal(20, 2, 1));
  Matrix V(20, 20), W(20, 20);
  Vector up(20), down(20);
  eigen_symmetric(view(A), view(up), view(V));
  eigen_symmetric(view(A), view(down), view(W), EigenOrder::descending);
  CHECK(Vector(up.reverse()) == down);
  CHECK(Matrix(V.rowwise().reverse()) == W);
}

TEST(the_lower_triangle_alone_is_read_and_the_input_may_be_the_output) {
  Matrix A = gaussian(normal(12, 2, 2)), lower = A, V(12, 12);
  Vector values(12), others(12);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = i + 1; j < 12; ++j) lower(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  eigen_symmetric(view(A), view(values), view(V));
  eigen_symmetric(view(lower), view(others), view(lower));
  CHECK(values == others);
  CHECK(V == lower);
}

TEST(views_of_any_strides_are_read_and_written) {
  const Matrix A = gaussian(normal(9, 2, 3));
  Matrix V(9, 9), transposed(9, 9);
  Vector values(9);
  eigen_symmetric(view(A), view(values), view(V));
  eigen_symmetric(MatrixView<const double>(A.data(), 9, 9, 1, 9), view(values),
                  MatrixView<double>(transposed.data(), 9, 9, 1, 9));
  CHECK(norm1(transposed.transpose() - V) <= 1e-12);
}

TEST(bad_input_is_refused) {
  Matrix A = Matrix::Identity(3, 3), V(3, 3), wide(2, 3);
  Vector values(3);
  CHECK_THROWS(std::invalid_argument, eigen_symmetric(view(wide), view(values), view(V)));
  CHECK_THROWS(std::invalid_argument, eigen_symmetric(view(A), view(values), view(wide)));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    A(2, 1) = bad;
    CHECK_THROWS(std::invalid_argument, eigen_symmetric(view(A), view(values), view(V)));
  }
}

TEST_MAIN
