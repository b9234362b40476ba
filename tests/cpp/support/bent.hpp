// SPDX-License-Identifier: BSD-3-Clause
// A map of points whose images are two numbers of three.
#pragma once

#include "gramian/kernels/point_map.hpp"

namespace support {

/// x -> (x_0 x_1, x_2), without its reverse.
class Bent final : public gramian::PointMap {
 public:
  gramian::Index inputs() const override { return 3; }
  gramian::Index outputs() const override { return 2; }
  void apply(gramian::MatrixView<const double> X, gramian::MatrixView<double> Z) const override {
    for (gramian::Index i = 0; i < X.rows(); ++i) Z(i, 0) = X(i, 0) * X(i, 1), Z(i, 1) = X(i, 2);
  }
  void pull_back(gramian::MatrixView<const double>, gramian::MatrixView<const double>,
                 gramian::MatrixView<double>) const override {}
};

}  // namespace support
