// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = exp(-gamma |x - y|^2)
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Gaussian {
  static constexpr const char* name = "gaussian";
  static constexpr const char* formula = R"(k(x, y) = \exp(-\gamma \, |x - y|^2))";
  static constexpr ParameterSpec parameters[] = {{"gamma", "inverse squared width: 1 / (2 length_scale^2)", Domain::positive}};
  static constexpr Form form = Form::distance;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{0, 0.5, -2.0};
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = 1.0;  // 2 - 2 exp(-r^2 / 2) <= r^2
  static constexpr KernelSpectrum spectrum{1.0, 0, 0};
  static constexpr double samples[][1] = {{0.3}, {2.5}};
  static constexpr double slope_of_value = 0.6931471805599453;  // dk/ds = log(2) k

  /// Scaled so that s is the exponent to base 2: no multiplication is left in the tile.
  static double point_scale(const double* p) {
    constexpr double log2_e = 1.4426950408889634;
    return __builtin_sqrt(2.0 * log2_e * p[0]);
  }

  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    return isa::exp2_of(at.s);
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double* p) {
    return {value(at, p) * constant<N>(slope_of_value)};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    out[0] = partials(at, p).s * at.s * constant<V>(1.0 / p[0]);  // s grows with gamma
  }
};

}  // namespace
}  // namespace gramian
