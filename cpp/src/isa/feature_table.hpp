// SPDX-License-Identifier: BSD-3-Clause
// What one build of the functions of explicit features exports: activations, and the circle for random Fourier features.
#pragma once

#include <cstdint>

namespace gramian::isa {

struct FeatureOps {
  /// x = 1 / (1 + e^-x); x = tanh x. A NaN stays one.
  void (*sigmoid)(std::int64_t count, double* x);
  void (*tanh)(std::int64_t count, double* x);
  /// cosines = cos x, sines = sin x. False, and nothing is promised, unless every |x| is below 2^20.
  bool (*cosine_sine)(std::int64_t count, const double* x, double* cosines, double* sines);
};

}  // namespace gramian::isa
