// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = exp(-gamma |x - y|^2)
#pragma once

#include "isa/exp2.hpp"
#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Gaussian {
  static constexpr const char* name = "gaussian";
  static constexpr const char* formula = R"(k(x, y) = \exp(-\gamma \, |x - y|^2))";
  static constexpr ParameterSpec parameters[] = {{"gamma", "inverse squared width: 1 / (2 length_scale^2)", 0.0}};
  static constexpr Form form = Form::distance;

  /// Scaled so that t is the exponent to base 2: no multiplication is left in the tile.
  static double point_scale(const double* parameters) {
    constexpr double log2_e = 1.4426950408889634;
    return __builtin_sqrt(2.0 * log2_e * parameters[0]);
  }
  static double at_coincidence(const double*) { return 1.0; }

  template <class V>
  static GRAMIAN_INLINE V value(V t, const double*) {
    // Rounding can leave a distance slightly negative.
    return isa::exp2_nonpositive(isa::at_most(t, V{}));
  }
};

}  // namespace
}  // namespace gramian
