// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/probabilities.hpp"

#include <Eigen/Core>

#include "gramian/eigen.hpp"
#include "support/check.hpp"

using namespace gramian;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(probabilities_are_clipped_and_add_up_to_one) {
  Dense f(4, 3);
  f << 0.2, 0.3, 0.5, -0.5, 0.25, 0.75, 3.0, 1.0, -4.0, -1.0, 0.0, -2.0;
  Dense wanted(4, 3);
  wanted << 0.2, 0.3, 0.5, 0.0, 0.25, 0.75, 0.75, 0.25, 0.0, 1.0 / 3, 1.0 / 3, 1.0 / 3;
  clip_normalise(view(f));
  CHECK_NEAR((f - wanted).cwiseAbs().maxCoeff(), 0.0, 1e-16);
}

TEST_MAIN
