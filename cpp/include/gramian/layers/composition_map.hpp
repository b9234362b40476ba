// SPDX-License-Identifier: BSD-3-Clause
// Trained layers as a map of points: a kernel on its images is the deep kernel of [DKL] (10).
#pragma once

#include <memory>
#include <vector>

#include "gramian/gram/column_scaling.hpp"
#include "gramian/kernels/point_map.hpp"
#include "gramian/layers/layered_map.hpp"

namespace gramian {

/// f_L(.. f_1((x - shift) / scale)). A value: copies share everything.
class GRAMIAN_API CompositionMap final : public PointMap {
 public:
  /// shift and scale have a number for each feature, or are empty: 0 and 1. Without layers they say how many features there are.
  /// Throws std::invalid_argument for shapes that do not fit together, supports that are not dense, entries that are not finite,
  /// and a scale that is not above 0.
  explicit CompositionMap(std::vector<SupportedLayer> layers, ColumnScaling scaling = {});

  const std::vector<SupportedLayer>& layers() const;
  const ColumnScaling& scaling() const;

  Index inputs() const override;
  Index outputs() const override;
  void apply(MatrixView<const double> X, MatrixView<double> images) const override;
  void pull_back(MatrixView<const double> X, MatrixView<const double> images_bar, MatrixView<double> Xbar) const override;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian
