// SPDX-License-Identifier: BSD-3-Clause
// Trained layers as a map of points: a kernel on its images is the deep kernel of [DKL] (10).
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/kernels/point_map.hpp"
#include "gramian/layers/layer.hpp"

namespace gramian {

/// A layer, its coefficients (m x outputs), and what supports it (m x inputs).
struct TrainedLayer {
  KernelLayer layer;
  Matrix coefficients;
  Matrix supports;
};

/// f_L(.. f_1((x - shift) / scale)). shift and scale have a number for each feature, or are empty: 0 and 1. Without layers they
/// say how many features there are. Throws std::invalid_argument for shapes that do not fit together, and a scale of 0.
GRAMIAN_API std::shared_ptr<const PointMap> composition_map(std::vector<TrainedLayer> layers, std::vector<double> shift = {},
                                                            std::vector<double> scale = {});

}  // namespace gramian
