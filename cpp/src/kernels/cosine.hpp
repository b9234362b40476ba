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
  static constexpr KernelWidth width = no_width;
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum = no_spectrum;

  static double point_scale(const double*) { return 1.0; }

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
