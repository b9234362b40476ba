// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = <x, y>
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Linear {
  static constexpr const char* name = "linear";
  static constexpr const char* formula = R"(k(x, y) = \langle x, y \rangle)";
  static constexpr NoParameters parameters{};
  static constexpr Form form = Form::inner;
  static constexpr double supremum = unbounded;
  static constexpr KernelWidth width = no_width;
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = true;
  static constexpr double squared_lipschitz = 1.0;
  static constexpr KernelSpectrum spectrum = no_spectrum;
  static constexpr bool of_s_only = true;

  static double point_scale(const double*) { return 1.0; }

  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double*) {
    return at.s;
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>&, const double*) {
    return {constant<N>(1.0)};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>&, const double*, V*) {}
};

}  // namespace
}  // namespace gramian
