// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/feature_map.hpp"

namespace gramian {

FeatureMap::~FeatureMap() = default;

}  // namespace gramian
