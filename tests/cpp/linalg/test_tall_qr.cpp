// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tall_qr.hpp"

#include <Eigen/LU>
#include <utility>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::as_eigen;
using gramian::Index;
using gramian::TallQr;
using spectral::normal;
using Dense = spectral::Matrix;

TEST(columns_are_orthonormal_at_any_scale) {
  for (const Index m : {1, 5, 30}) {
    for (const double scale : {1e-8, 1.0, 1e4, 1e7, 1e12}) {
      Dense W = scale * normal(40, m, 1);
      for (Index k = 0; k < m; ++k) W.col(k) *= std::pow(10.0, -0.3 * static_cast<double>(k));
      gramian::Matrix Q = gramian::Matrix::copy_of(gramian::view(W));
      TallQr factors(Q);
      const Dense q = as_eigen(Q.view()), below = as_eigen(factors.below().view());
      CHECK((q.transpose() * q + below.transpose() * below - Dense::Identity(m, m)).norm() <= 1e-13 * static_cast<double>(m));
      CHECK(factors.square() >= 1.0 && (factors.square() == 1.0 || factors.square() <= 2e-14 * W.squaredNorm()));
      if (scale > 1e4) continue;  // beyond, the inverse that it is compared with is not exact
      const Dense square = W.transpose() * W + factors.square() * Dense::Identity(m, m);
      CHECK((below * below.transpose() / factors.square() * square - Dense::Identity(m, m)).norm() <= 1e-5);
    }
  }
}

TEST(a_matrix_without_columns_stays_as_it_is) {
  gramian::Matrix none(3, 0);
  CHECK_EQ(TallQr(none).square(), 1.0);
}

TEST(overflow_is_an_error) {
  gramian::Matrix W = gramian::Matrix::filled(3, 2, 1e200);
  CHECK_THROWS(gramian::NumericalError, TallQr(W));
}

TEST_MAIN
