// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = (1 + |x - y|^2 / (2 alpha length_scale^2))^-alpha
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct RationalQuadratic {
  static constexpr const char* name = "rational_quadratic";
  static constexpr const char* formula = R"(k(x, y) = \left(1 + \frac{|x - y|^2}{2 \alpha \ell^2}\right)^{-\alpha})";
  static constexpr ParameterSpec parameters[] = {
      {"alpha", "mixture of scales: towards infinity it is the Gaussian", Domain::positive},
      {"length_scale", "the distance over which the kernel decays", Domain::positive}};
  static constexpr Form form = Form::distance;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{1, 1.0, 1.0};
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = 1.0;  // (1 + x)^-alpha >= 1 - alpha x
  static constexpr KernelSpectrum spectrum = no_spectrum;
  static constexpr double samples[][2] = {{0.7, 1.1}, {5.0, 0.6}};

  static double point_scale(const double* p) { return 1.0 / p[1]; }

  /// -s / alpha >= 0
  template <class N>
  static GRAMIAN_INLINE N excess(const Pair<N>& at, const double* p) {
    using V = typename isa::Number<N>::vector;
    const N x = at.s * constant<N>(-1.0 / p[0]);
    return isa::choose(isa::value_of(x) > V{}, x, constant<N>(0.0));
  }
  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double* p) {
    return isa::exp_of_minus(constant<N>(p[0]) * isa::log1p_nonnegative(excess(at, p)));
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double* p) {
    return {isa::exp_of_minus(constant<N>(p[0] + 1.0) * isa::log1p_nonnegative(excess(at, p)))};
  }
  /// x / (1 + x) - log(1 + x) = sum_k (-1)^(k+1) (k-1)/k x^k. The difference cancels where x is small.
  template <class V>
  static GRAMIAN_INLINE V log_slope(V x) {
    V series = constant<V>(-7.0 / 8.0);
    series = series * x + constant<V>(6.0 / 7.0);
    series = series * x - constant<V>(5.0 / 6.0);
    series = series * x + constant<V>(4.0 / 5.0);
    series = series * x - constant<V>(3.0 / 4.0);
    series = series * x + constant<V>(2.0 / 3.0);
    series = series * x - constant<V>(1.0 / 2.0);
    const V difference = x / (constant<V>(1.0) + x) - isa::log1p_nonnegative(x);
    return x < constant<V>(1.0 / 256.0) ? x * x * series : difference;
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    const V x = excess(at, p);
    out[0] = value(at, p) * log_slope(x);
    out[1] = partials(at, p).s * x * constant<V>(2.0 * p[0] / p[1]);
  }
};

}  // namespace
}  // namespace gramian
