// SPDX-License-Identifier: BSD-3-Clause
// The loss of one probability.
#pragma once

#include <cmath>

namespace gramian {

struct ClippedCrossEntropy {
  struct Cost {
    double value;
    double slope;
  };

  /// [MCE] (7): -log of p clipped to [epsilon, 1]. The slope is 0 beyond the clips; NaN goes through.
  Cost operator()(double p) const {
    if (p < epsilon) return {-std::log(epsilon), 0.0};
    if (p > 1.0) return {0.0, 0.0};
    return {-std::log(p), -1.0 / p};
  }

  double epsilon;
};

}  // namespace gramian
