// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = 1 / (1 + gamma |x - y|^2): the rational quadratic kernel with alpha = 1
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Cauchy {
  static constexpr const char* name = "cauchy";
  static constexpr const char* formula = R"(k(x, y) = \frac{1}{1 + \gamma \, |x - y|^2})";
  static constexpr ParameterSpec parameters[] = {{"gamma", "inverse squared width: 1 / (2 length_scale^2)", Domain::positive}};
  static constexpr Form form = Form::distance;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{0, 0.5, -2.0};
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = 1.0;  // 1 - 1 / (1 + x) <= x
  // The mean of exp(-t gamma |x - y|^2) over t with the density exp(-t), and 2 t is chi-squared: a mixture of Gaussians.
  static constexpr KernelSpectrum spectrum{0.7071067811865476, 2, 0};
  static constexpr double samples[][1] = {{0.3}, {2.5}};

  /// -s = gamma |x - y|^2
  static double point_scale(const double* p) { return __builtin_sqrt(2.0 * p[0]); }

  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    using V = typename isa::Number<N>::vector;
    const N s = isa::choose(isa::value_of(at.s) < V{}, at.s, constant<N>(0.0));
    return constant<N>(1.0) / (constant<N>(1.0) - s);
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double* p) {
    const N k = value(at, p);
    return {k * k};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    const V k = value(at, p);
    out[0] = k * (k * at.s) * constant<V>(1.0 / p[0]);
  }
};

}  // namespace
}  // namespace gramian
