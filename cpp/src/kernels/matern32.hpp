// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = (1 + u) exp(-u), u = sqrt 3 |x - y| / length_scale
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Matern32 {
  static constexpr const char* name = "matern32";
  static constexpr const char* formula = R"(k(x, y) = (1 + u) \, e^{-u}, \quad u = \sqrt{3} \, |x - y| / \ell)";
  static constexpr ParameterSpec parameters[] = {{"length_scale", "the distance over which the kernel decays", Domain::positive}};
  static constexpr Form form = Form::distance;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{0, 1.0, 1.0};
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = 3.0;  // the second moment of the spectrum, -k''(0)
  static constexpr KernelSpectrum spectrum{1.7320508075688772, 0, 3};
  static constexpr double samples[][1] = {{1.3}, {0.5}};

  static double point_scale(const double* p) { return 1.7320508075688772 / p[0]; }

  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    const N u = distance(at);
    return (constant<N>(1.0) + u) * isa::exp_of_minus(u);
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double*) {
    return {isa::exp_of_minus(distance(at))};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    const V u = distance(at);
    out[0] = isa::exp_of_minus(u) * u * u * constant<V>(1.0 / p[0]);
  }
};

}  // namespace
}  // namespace gramian
