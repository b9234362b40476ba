// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/woodbury.hpp"

#include <Eigen/Cholesky>
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

Matrix solved(const Woodbury& woodbury, const Matrix& B) {
  Matrix X(B.rows(), B.cols());
  woodbury.solve(view(B), view(X));
  return X;
}

/// |A X - B| / (n (|A| |X| + |B|) u)
double residual_ratio(const Matrix& A, const Matrix& X, const Matrix& B) {
  const double n = static_cast<double>(A.rows());
  return (A * X - B).norm() / (n * (A.norm() * X.norm() + B.norm()) * spectral::unit);
}

double dense_log_determinant(const Matrix& A) {
  return 2.0 * Eigen::LLT<Matrix>(A).matrixL().toDenseMatrix().diagonal().array().log().sum();
}

}  // namespace

TEST(residuals_and_determinants_at_any_size_and_ridge) {
  for (const Index n : {1, 2, 3, 5, 10, 50, 500}) {
    for (const Index m : {Index(0), Index(1), n / 3, n, n + 3}) {
      for (const double lambda : {1e-8, 1e-4, 1.0, 1e2}) {
        const Matrix U = normal(n, m, 1), B = normal(n, 4, 2);
        const Matrix A = U * U.transpose() + lambda * Matrix::Identity(n, n);
        const Woodbury woodbury(view(U), lambda);
        CHECK_EQ(woodbury.size(), n);
        CHECK(residual_ratio(A, solved(woodbury, B), B) < spectral::good);
        // The determinant of A itself is known to about u |A| / lambda times n - m.
        const double expected = dense_log_determinant(A), error = spectral::unit * A.norm() / lambda;
        if (error < 1e-6)
          CHECK_NEAR(woodbury.log_determinant(), expected,
                     static_cast<double>(n) * (10.0 * error + 1e-12) + 1e-12 * std::fabs(expected));
      }
    }
  }
}

TEST(log_determinant_of_a_singular_looking_matrix) {
  // Columns that are orthogonal: A has the eigenvalues 4 + lambda, 9 + lambda, and lambda six times.
  Matrix U = Matrix::Zero(8, 2);
  U(1, 0) = 2.0;
  U(5, 1) = 3.0;
  const double lambda = 1e-12;
  CHECK_NEAR(Woodbury(view(U), lambda).log_determinant(),
             std::log(4.0 + lambda) + std::log(9.0 + lambda) + 6.0 * std::log(lambda), 1e-12);
}

TEST(diagonals_and_cores_are_used) {
  const Index n = 40, m = 5;
  const Matrix U = normal(n, m, 3), B = normal(n, 3, 4);
  const Vector d = spectral::spread(n, [](double t) { return std::pow(1e-6, t); });
  for (const Matrix& C : {Matrix(Matrix::Identity(m, m)), spectral::gaussian(normal(m, 2, 5)), Matrix(Matrix::Zero(m, m)),
                          Matrix(Matrix::Ones(m, m))}) {
    Matrix A = U * C * U.transpose();
    A.diagonal() += d;
    const Woodbury woodbury(view(d), view(U), view(C));
    CHECK(residual_ratio(A, solved(woodbury, B), B) < spectral::good);
    CHECK_NEAR(woodbury.log_determinant(), dense_log_determinant(A), 1e-7);
  }
  Matrix A = U * U.transpose();
  A.diagonal() += d;
  CHECK(residual_ratio(A, solved(Woodbury(view(d), view(U)), B), B) < spectral::good);
}

TEST(the_measure_rejects_a_wrong_answer) {
  const Index n = 50;
  const Matrix U = normal(n, 5, 6), B = normal(n, 1, 7), A = U * U.transpose() + Matrix::Identity(n, n);
  Matrix X = solved(Woodbury(view(U), 1.0), B);
  CHECK(residual_ratio(A, X, B) < spectral::good);
  X(7, 0) += 1e-9;
  CHECK(residual_ratio(A, X, B) > spectral::good);
}

TEST(duplicates_and_scales) {
  const Index n = 60;
  Matrix U = normal(n, 6, 8);
  U.col(5) = U.col(0);
  U.row(3) = U.row(4);
  const Matrix B = normal(n, 2, 9);
  for (const double scale : {1e-12, 1.0, 1e12}) {
    const Matrix W = scale * U, A = W * W.transpose() + 1e-6 * scale * scale * Matrix::Identity(n, n);
    CHECK(residual_ratio(A, solved(Woodbury(view(W), 1e-6 * scale * scale), B), B) < spectral::good);
  }
}

TEST(output_may_be_the_input_and_objects_move) {
  const Matrix U = normal(300, 4, 10), B = normal(300, 2, 11);
  Woodbury first(view(U), 0.5);
  const Matrix expected = solved(first, B);
  Woodbury second = std::move(first);
  Matrix in_place = B;
  second.solve(view(in_place), view(in_place));
  CHECK(in_place == expected);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix U = normal(30000, 30, 12), B = normal(30000, 3, 13);
  set_num_threads(1);
  const Matrix one = solved(Woodbury(view(U), 0.1), B);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(solved(Woodbury(view(U), 0.1), B) == one);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  Matrix U = normal(5, 2, 14), C = Matrix::Identity(2, 2), B(5, 1), low(4, 1);
  Vector d = Vector::Ones(5);
  for (const double lambda : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, Woodbury(view(U), lambda));
  }
  CHECK_THROWS(std::invalid_argument, Woodbury(view(U), 1.0).solve(view(low), view(low)));
  CHECK_THROWS(std::invalid_argument, Woodbury(view(d), view(low)));
  C(0, 0) = -1.0;
  CHECK_THROWS(std::invalid_argument, Woodbury(view(d), view(U), view(C)));
  d(2) = 0.0;
  CHECK_THROWS(std::invalid_argument, Woodbury(view(d), view(U)));
  U(1, 1) = 1e200;
  CHECK_THROWS(NumericalError, Woodbury(view(U), 1.0));
  U(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, Woodbury(view(U), 1.0));
}

TEST_MAIN
