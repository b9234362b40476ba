// SPDX-License-Identifier: BSD-3-Clause
// Trained layers with what supports them.
#pragma once

#include <vector>

#include "gramian/layers/layered_map.hpp"
#include "gramian/models/layered.hpp"

namespace gramian {

/// The layers of a fit to these samples.
inline std::vector<SupportedLayer> supported_layers(const LayeredFit& fit, const Samples& training) {
  const std::vector<Index>& rows = fit.model.landmarks;
  const LayeredMap map(fit.model, rows.empty() ? training : training.some(rows));
  std::vector<SupportedLayer> layers;
  for (Index l = 1; l <= map.depth(); ++l) layers.push_back(map.layer(l));
  return layers;
}

}  // namespace gramian
