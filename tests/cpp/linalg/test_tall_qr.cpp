// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tall_qr.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::as_eigen;
using gramian::Index;
using gramian::tall_qr;
using spectral::normal;
using Dense = spectral::Matrix;

TEST(columns_are_those_of_an_orthonormal_basis_at_any_scale) {
  for (const Index m : {1, 5, 30}) {
    for (const double scale : {1e-8, 1.0, 1e4, 1e7, 1e12}) {
      Dense W = scale * normal(40, m, 1);
      for (Index k = 0; k < m; ++k) W.col(k) *= std::pow(10.0, -0.3 * static_cast<double>(k));
      gramian::Matrix Q = gramian::Matrix::copy_of(gramian::view(W));
      const double square = tall_qr(Q);
      CHECK(square >= 1.0 && (square == 1.0 || square <= 2e-14 * W.squaredNorm()));
      const Dense q = as_eigen(Q.view());
      const spectral::Vector values = Eigen::SelfAdjointEigenSolver<Dense>(Dense(q.transpose() * q)).eigenvalues();
      CHECK(values(0) > 0.0 && values(m - 1) <= 1.0 + 1e-13 * static_cast<double>(m));
      if (scale > 1e4) continue;  // beyond, the inverse that it is compared with is not exact
      const Dense shifted = W.transpose() * W + square * Dense::Identity(m, m);
      CHECK((q * q.transpose() - W * shifted.ldlt().solve(Dense(W.transpose()))).norm() <= 1e-7);
    }
  }
}

TEST(a_matrix_without_columns_stays_as_it_is) {
  gramian::Matrix none(3, 0);
  CHECK_EQ(tall_qr(none), 1.0);
}

TEST(overflow_is_an_error) {
  gramian::Matrix W = gramian::Matrix::filled(3, 2, 1e200);
  CHECK_THROWS(gramian::NumericalError, tall_qr(W));
}

TEST_MAIN
