// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/stiefel.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using spectral::Matrix;
using spectral::normal;
using spectral::Vector;

namespace {

struct Shape {
  Index n;
  Index s;
};
const Shape shapes[] = {{0, 0}, {1, 1}, {2, 1}, {3, 3}, {5, 2}, {10, 10}, {50, 7}, {192, 3}, {193, 8}, {500, 50}, {700, 230}};

/// n x s with singular values from 1 down to 1 / condition.
Matrix with_condition(Index n, Index s, double condition) {
  const Matrix A = normal(n, s, 1), B = normal(s, s, 2);
  const Eigen::JacobiSVD<Matrix> left(A, Eigen::ComputeThinU | Eigen::ComputeThinV),
      right(B, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector values = spectral::spread(s, [=](double t) { return std::pow(condition, -t); });
  return left.matrixU() * values.asDiagonal() * right.matrixV().transpose();
}

Matrix polar(const Matrix& H) {
  const Eigen::JacobiSVD<Matrix, Eigen::HouseholderQRPreconditioner> svd(H, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Matrix projected(const Matrix& H) {
  Matrix out(H.rows(), H.cols());
  stiefel_project(view(H), view(out));
  return out;
}

Matrix tangent(const Matrix& H, const Matrix& Z) {
  Matrix out(H.rows(), H.cols());
  stiefel_tangent(view(H), view(Z), view(out));
  return out;
}

Matrix retracted(const Matrix& H, const Matrix& Z, StiefelRetraction retraction) {
  Matrix out(H.rows(), H.cols());
  stiefel_retract(view(H), view(Z), retraction, view(out));
  return out;
}

double largest(const Matrix& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }
double feasible(Index s) { return 1e-14 * static_cast<double>(std::max<Index>(s, 1)); }

}  // namespace

TEST(projection_is_the_polar_factor_and_feasible) {
  for (const Shape& shape : shapes) {
    const Matrix H = normal(shape.n, shape.s, 3), out = projected(H);
    CHECK(stiefel_infeasibility(view(out)) <= feasible(shape.s));
    // Square matrices are the badly conditioned ones.
    if (shape.s > 0 && shape.s < 100) CHECK(largest(out - polar(H)) <= 1e-11);
    // HᵀQ is symmetric positive semidefinite for the polar factor and for no other.
    const Matrix inner = H.transpose() * out;
    CHECK(largest(inner - inner.transpose()) <= 1e-12 * (1.0 + largest(inner)));
  }
}

TEST(projection_holds_its_accuracy_over_all_conditions) {
  for (const double condition : {1.0, 1.9, 2.1, 50.0, 99.0, 101.0, 1e4, 1e7, 1e10, 1e13}) {
    const Matrix H = with_condition(300, 6, condition), out = projected(H);
    CHECK(stiefel_infeasibility(view(out)) <= feasible(6));
    // A perturbation of H by u |H| moves its polar factor by about u times its condition.
    CHECK(largest(out - polar(H)) <= 100.0 * spectral::unit * condition + 2e-12);
  }
}

TEST(projection_takes_any_scale) {
  const Matrix H = normal(200, 4, 4), expected = projected(H);
  for (const double scale : {1e-200, 1e-12, 1e12, 1e200}) CHECK(largest(projected(scale * H) - expected) <= 1e-13);
}

TEST(dependent_columns_are_named) {
  Matrix H = normal(100, 5, 5), out(100, 5);
  H.col(3) = 2.0 * H.col(1) - H.col(0);
  CHECK_THROWS(NumericalError, stiefel_project(view(H), view(out)));
  try {
    stiefel_project(view(H), view(out));
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("H are linearly dependent: numerical rank 4 of 5") != std::string::npos);
  }
  H.setZero();
  CHECK_THROWS(NumericalError, stiefel_project(view(H), view(out)));
  const Matrix Z = Matrix::Zero(100, 5);
  for (const auto retraction : {StiefelRetraction::polar, StiefelRetraction::qr}) {
    CHECK_THROWS(NumericalError, stiefel_retract(view(H), view(Z), retraction, view(out)));
  }
}

TEST(tangent_projection_lands_in_the_tangent_space_and_is_nearest) {
  for (const Shape& shape : shapes) {
    const Matrix H = projected(normal(shape.n, shape.s, 6)), Z = normal(shape.n, shape.s, 7), T = tangent(H, Z);
    const Matrix inner = H.transpose() * T;
    CHECK(largest(inner + inner.transpose()) <= 1e-13 * (1.0 + largest(H.transpose() * Z)));
    CHECK(largest(tangent(H, T) - T) <= 1e-12);
    // What was taken away is orthogonal to every tangent vector.
    const Matrix other = tangent(H, normal(shape.n, shape.s, 8));
    if (T.size() > 0) CHECK(std::fabs(((Z - T).cwiseProduct(other)).sum()) <= 1e-12 * Z.norm() * (1.0 + other.norm()));
  }
}

TEST(retractions_are_feasible_and_agree_with_their_formulas) {
  for (const Shape& shape : shapes) {
    if (shape.n == 0) continue;
    const Matrix H = projected(normal(shape.n, shape.s, 12));
    for (const double size : {0.0, 1e-9, 1.0, 1e5}) {
      const Matrix Z = size * tangent(H, normal(shape.n, shape.s, 13));
      const Matrix by_polar = retracted(H, Z, StiefelRetraction::polar), by_qr = retracted(H, Z, StiefelRetraction::qr);
      CHECK(stiefel_infeasibility(view(by_polar)) <= feasible(shape.s));
      CHECK(stiefel_infeasibility(view(by_qr)) <= feasible(shape.s));
      if (size == 0.0) CHECK(largest(by_polar - H) <= 1e-13 && largest(by_qr - H) <= 1e-13);
      const Matrix R = by_qr.transpose() * (H + Z);
      CHECK(R.diagonal().minCoeff() > 0.0);
      CHECK(largest(R.triangularView<Eigen::StrictlyLower>().toDenseMatrix()) <= 1e-12 * (1.0 + largest(H + Z)));
    }
  }
}

TEST(retractions_are_of_first_order) {
  const Matrix H = projected(normal(80, 5, 14)), Z = tangent(H, normal(80, 5, 15));
  for (const auto retraction : {StiefelRetraction::polar, StiefelRetraction::qr}) {
    const double h = 1e-4;
    const Matrix slope = (retracted(H, h * Z, retraction) - retracted(H, -h * Z, retraction)) / (2.0 * h);
    CHECK(largest(slope - Z) <= 1e-4);
  }
}

TEST(output_may_be_an_input_and_strides_are_free) {
  const Matrix H = normal(200, 3, 16), expected = projected(H);
  Matrix in_place = H, columns(3, 400);
  stiefel_project(view(in_place), view(in_place));
  CHECK(in_place == expected);
  const MatrixView<double> spaced(columns.data(), 200, 3, 2, 400);
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 3; ++j) spaced(i, j) = H(i, j);
  }
  stiefel_project(spaced, spaced);
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 3; ++j) CHECK_EQ(spaced(i, j), expected(i, j));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix H = normal(40000, 20, 17), Z = normal(40000, 20, 18);
  set_num_threads(1);
  const Matrix one = projected(H), step = retracted(one, Z, StiefelRetraction::qr), flat = tangent(one, Z);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(projected(H) == one);
    CHECK(retracted(one, Z, StiefelRetraction::qr) == step);
    CHECK(tangent(one, Z) == flat);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  Matrix H = normal(10, 3, 19), Z = normal(9, 3, 20), out(10, 3), wide = normal(2, 5, 21), wide_out(2, 5);
  CHECK_THROWS(std::invalid_argument, stiefel_project(view(wide), view(wide_out)));
  CHECK_THROWS(std::invalid_argument, stiefel_project(view(H), view(Z)));
  CHECK_THROWS(std::invalid_argument, stiefel_tangent(view(H), view(Z), view(out)));
  CHECK_THROWS(std::invalid_argument, stiefel_retract(view(H), view(Z), StiefelRetraction::qr, view(out)));
  H(4, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, stiefel_project(view(H), view(out)));
  CHECK_THROWS(std::invalid_argument, stiefel_retract(view(H), view(H), StiefelRetraction::qr, view(out)));
}

TEST_MAIN
