// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = <x, y> / (|x|^2 + |y|^2 - <x, y>)
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Tanimoto {
  static constexpr const char* name = "tanimoto";
  static constexpr const char* formula =
      R"(k(x, y) = \frac{\langle x, y \rangle}{|x|^2 + |y|^2 - \langle x, y \rangle}, \quad k(0, 0) = 1)";
  static constexpr NoParameters parameters{};
  static constexpr Form form = Form::inner;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width = no_width;
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::sets;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum = no_spectrum;

  static double point_scale(const double*) { return 1.0; }

  template <class N>
  static GRAMIAN_INLINE N denominator(const Pair<N>& at) {
    return at.a + at.b - at.s;
  }
  /// Two empty sets are the same set: k(0, 0) = 1, so that the diagonal is 1 everywhere.
  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    using V = typename isa::Number<N>::vector;
    const N d = denominator(at);
    const auto both_zero = isa::value_of(d) <= V{};
    return isa::choose(both_zero, constant<N>(1.0), at.s / isa::choose(both_zero, constant<N>(1.0), d));
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double*) {
    using V = typename isa::Number<N>::vector;
    const N d = denominator(at);
    // Where a point is zero the kernel is 0 and its partials are taken as 0.
    const auto zero = (isa::value_of(at.a) <= V{}) | (isa::value_of(at.b) <= V{});
    const N inverse = isa::choose(zero, constant<N>(0.0), constant<N>(1.0) / isa::choose(zero, constant<N>(1.0), d));
    const N square = inverse * inverse;
    const N norm = constant<N>(0.0) - at.s * square;
    return {(at.a + at.b) * square, norm, norm};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>&, const double*, V*) {}
};

}  // namespace
}  // namespace gramian
