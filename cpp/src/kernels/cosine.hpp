// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = <x, y> / (|x| |y|)
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Cosine {
  static constexpr const char* name = "cosine";
  static constexpr const char* formula = R"(k(x, y) = \frac{\langle x, y \rangle}{|x| \, |y|}, \quad k(0, y) = 0)";
  static constexpr NoParameters parameters{};
  static constexpr Form form = Form::inner;
  static constexpr double supremum = 1.0;

  static double point_scale(const double*) { return 1.0; }

  template <class N>
  static GRAMIAN_INLINE MaskOf<N> has_zero(const Pair<N>& at) {
    using V = typename isa::Number<N>::vector;
    return (isa::value_of(at.a) <= V{}) | (isa::value_of(at.b) <= V{});
  }
  /// |x| |y|, and 1 where it is zero. Rooted one by one: the product of the squares overflows far earlier.
  template <class N>
  static GRAMIAN_INLINE N norms(const Pair<N>& at) {
    const auto zero = has_zero(at);
    return isa::choose(zero, constant<N>(1.0), isa::root(at.a, zero) * isa::root(at.b, zero));
  }
  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    return zero_where<N>(has_zero(at), at.s / norms(at));
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double*) {
    const auto zero = has_zero(at);
    const N n = norms(at), one = constant<N>(1.0), half = constant<N>(-0.5) * at.s / n;
    return {zero_where<N>(zero, one / n), zero_where<N>(zero, half / isa::choose(zero, one, at.a)),
            zero_where<N>(zero, half / isa::choose(zero, one, at.b))};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>&, const double*, V*) {}
};

}  // namespace
}  // namespace gramian
