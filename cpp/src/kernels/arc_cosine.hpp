// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = (|x| |y|)^n J_n(theta) / pi, theta the angle between x and y (Cho and Saul 2009); orders n = 0, 1, 2
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

/// J_n and its derivative in cos theta. J_1' = J_0 and J_2' = 4 J_1.
template <class N>
struct Angular {
  N cosine, sine, rest;  // rest = pi - theta

  GRAMIAN_INLINE N order0() const { return rest; }
  GRAMIAN_INLINE N order1() const { return sine + rest * cosine; }
  GRAMIAN_INLINE N order2() const {
    return constant<N>(3.0) * sine * cosine + rest * (constant<N>(1.0) + constant<N>(2.0) * cosine * cosine);
  }
};

template <int order>
struct ArcCosine {
  static constexpr NoParameters parameters{};
  static constexpr Form form = Form::inner;
  static constexpr double supremum = order == 0 ? 1.0 : unbounded;
  static constexpr KernelWidth width = no_width;
  static constexpr bool smooth_at_coincidence = order > 0;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = order == 1 ? 1.0 : unbounded;  // a ramp is no steeper than 1
  static constexpr KernelSpectrum spectrum = no_spectrum;

  static double point_scale(const double*) { return 1.0; }

  template <class N>
  static GRAMIAN_INLINE Angular<N> angular(const Pair<N>& at) {
    using V = typename isa::Number<N>::vector;
    const N ratio = at.s / norms(at);
    const V c = isa::value_of(ratio);
    const N one = constant<N>(1.0);
    N cosine = isa::choose((c > isa::constant<V>(1.0)) | at.coincident, one, ratio);
    cosine = isa::choose(c < isa::constant<V>(-1.0), constant<N>(-1.0), cosine);
    const V v = isa::value_of(cosine);
    const auto flat = (v >= isa::constant<V>(1.0)) | (v <= isa::constant<V>(-1.0));
    const N sine = isa::root((one - cosine) * (one + cosine), flat);
    return {cosine, sine, constant<N>(3.141592653589793) - isa::angle_of_cosine(cosine)};
  }
  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    const Angular<N> t = angular(at);
    const N n = norms(at), pi = constant<N>(0.3183098861837907);
    N k = t.order0() * pi;
    if constexpr (order == 1) k = t.order1() * n * pi;
    if constexpr (order == 2) k = t.order2() * n * n * pi;
    return zero_where<N>(has_zero(at), k);
  }
  /// k = N^n J_n(c) / pi with N = |x| |y|, c = s / N: dk/ds = N^(n-1) J_n' / pi, dk/da = N^n (n J_n - c J_n') / (2 pi a).
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double*) {
    const Angular<N> t = angular(at);
    const N n = norms(at);
    const auto zero = has_zero(at);
    N over_norms = constant<N>(0.3183098861837907) / n;  // N^(n-1) / pi
    N value = t.order0(), slope = constant<N>(0.0);
    if constexpr (order == 0) {
      // Unbounded where the points are parallel, as far as rounding lets us tell: 0 there.
      using V = typename isa::Number<N>::vector;
      const V sine = isa::value_of(t.sine);
      const auto flat = sine * sine <= isa::constant<V>(isa::coincidence<isa::ElementOf<V>>);
      slope = isa::choose(flat, constant<N>(0.0), constant<N>(1.0) / isa::choose(flat, constant<N>(1.0), t.sine));
    } else if constexpr (order == 1) {
      value = t.order1(), slope = t.order0(), over_norms = over_norms * n;
    } else {
      value = t.order2(), slope = constant<N>(4.0) * t.order1(), over_norms = over_norms * n * n;
    }
    const N s = over_norms * slope;
    const N norm = constant<N>(0.5) * over_norms * n * (constant<N>(order) * value - t.cosine * slope);
    const N one = constant<N>(1.0);
    return {zero_where<N>(zero, s), zero_where<N>(zero, norm / isa::choose(zero, one, at.a)),
            zero_where<N>(zero, norm / isa::choose(zero, one, at.b))};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>&, const double*, V*) {}
};

struct ArcCosine0 : ArcCosine<0> {
  static constexpr const char* name = "arc_cosine0";
  static constexpr const char* formula = R"(k(x, y) = 1 - \theta / \pi, \quad k(0, y) = 0)";
};
struct ArcCosine1 : ArcCosine<1> {
  static constexpr const char* name = "arc_cosine1";
  static constexpr const char* formula =
      R"(k(x, y) = \frac{|x| \, |y|}{\pi} \left(\sin\theta + (\pi - \theta) \cos\theta\right))";
};
struct ArcCosine2 : ArcCosine<2> {
  static constexpr const char* name = "arc_cosine2";
  static constexpr const char* formula =
      R"(k(x, y) = \frac{|x|^2 |y|^2}{\pi} \left(3 \sin\theta \cos\theta + (\pi - \theta)(1 + 2 \cos^2\theta)\right))";
};

}  // namespace
}  // namespace gramian
