// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = exp(-gamma |x - y|); Matérn 1/2 with gamma = 1 / length_scale
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Laplacian {
  static constexpr const char* name = "laplacian";
  static constexpr const char* formula = R"(k(x, y) = \exp(-\gamma \, |x - y|))";
  static constexpr ParameterSpec parameters[] = {{"gamma", "inverse width", Domain::positive}};
  static constexpr Form form = Form::distance;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{0, 1.0, -1.0};
  static constexpr bool smooth_at_coincidence = false;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum{1.0, 0, 1};
  static constexpr double samples[][1] = {{0.4}, {1.9}};

  static double point_scale(const double* p) { return p[0]; }

  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    return isa::exp_of_minus(distance(at));
  }
  /// Unbounded where points meet: 0 there.
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double*) {
    const N r = distance(at);
    return {zero_where<N>(at.coincident, isa::exp_of_minus(r) / isa::choose(at.coincident, constant<N>(1.0), r))};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    const V r = distance(at);
    out[0] = isa::exp_of_minus(r) * r * constant<V>(-1.0 / p[0]);
  }
};

}  // namespace
}  // namespace gramian
