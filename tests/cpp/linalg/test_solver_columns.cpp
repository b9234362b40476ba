// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/solver_columns.hpp"

#include "gramian/linalg/low_rank_inverse.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::as_eigen;
using gramian::Index;
using gramian::SolverColumns;
using gramian::StoredOperator;
using gramian::Vectors;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

Vector column(const SolverColumns& columns, Vectors name, Index j) {
  return Eigen::Map<const Vector>(columns.column(name, j), columns.n());
}

}  // namespace

TEST(columns_are_scaled_by_powers_of_two_and_back) {
  Dense B = normal(9, 3, 1);
  B.col(0) *= 1e200;
  B.col(1).setZero();
  SolverColumns columns(gramian::view(B));
  for (Index j = 0; j < 3; ++j) {
    CHECK(columns.power(j) * column(columns, Vectors::targets, j) == Vector(B.col(j)));
    CHECK(column(columns, Vectors::residual, j) == column(columns, Vectors::targets, j));
    CHECK(columns.largest(Vectors::targets, j) < 2.0);
  }
  const Dense A = Dense::Identity(9, 9);
  columns.begin_at(StoredOperator(gramian::view(A)), gramian::view(B));
  Dense out(9, 3);
  columns.write_solution(gramian::view(out));
  CHECK(out == B);
  CHECK_EQ(columns.norm(Vectors::residual, 0), 0.0);
}

TEST(steps_are_those_of_the_formulas) {
  const Dense B = normal(9, 2, 2), A = spectral::gaussian(normal(9, 2, 3)), F = normal(9, 2, 4);
  const Vector z = normal(9, 1, 5).col(0);
  SolverColumns columns(gramian::view(B));
  const Vector b = column(columns, Vectors::targets, 1);
  columns.turn(1, z.data(), 0.0);
  CHECK(column(columns, Vectors::direction, 1) == z);
  columns.turn(1, z.data(), 2.0);
  CHECK((column(columns, Vectors::direction, 1) - 3.0 * z).norm() <= 1e-15);
  CHECK_NEAR(columns.scaled_square(1, 3.0), z.squaredNorm(), 1e-14);
  const double* image = columns.multiplied(StoredOperator(gramian::view(A)), {1}, {Vectors::direction});
  const Vector Ap = Eigen::Map<const Vector>(image, 9);
  CHECK((Ap - 3.0 * A * z).norm() <= 1e-14);
  columns.advance(1, 0.5, image);
  CHECK((column(columns, Vectors::solution, 1) - 1.5 * z).norm() <= 1e-15);
  CHECK((column(columns, Vectors::residual, 1) - (b - 0.5 * Ap)).norm() <= 1e-15);
  const Vector half = 0.5 * Ap;
  double deviation = -1.0;
  CHECK_NEAR(columns.true_residual(1, half.data(), deviation), (b - half).norm(), 1e-14);
  CHECK(deviation <= 1e-15);
  columns.replace_residual(1, Ap.data());
  CHECK((column(columns, Vectors::residual, 1) - (b - Ap)).norm() <= 1e-15);
  const gramian::LowRankInverse inverse(gramian::view(F), 0.5);
  const Dense M = F * F.transpose() + 0.5 * Dense::Identity(9, 9);
  const Vector divided = Eigen::Map<const Vector>(columns.divided(&inverse, {1}), 9);
  CHECK((M * divided - column(columns, Vectors::residual, 1)).norm() <= 1e-13);
  columns.clear(1);
  CHECK_EQ(columns.norm(Vectors::solution, 1) + columns.norm(Vectors::residual, 1), 0.0);
}

TEST_MAIN
