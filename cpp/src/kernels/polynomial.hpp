// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = (gamma <x, y> + coef0)^degree
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct Polynomial {
  static constexpr const char* name = "polynomial";
  static constexpr const char* formula = R"(k(x, y) = (\gamma \langle x, y \rangle + c_0)^p)";
  static constexpr ParameterSpec parameters[] = {
      {"degree", "the power p, a whole number of at least 1", Domain::count},
      {"gamma", "factor of the inner product", Domain::positive},
      {"coef0", "what is added to it; 0 gives the homogeneous kernel", Domain::nonnegative}};
  static constexpr Form form = Form::inner;
  static constexpr double supremum = unbounded;
  static constexpr KernelWidth width{1, 1.0, -2.0};
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr bool explicit_features = false;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum = no_spectrum;
  static constexpr bool of_s_only = true;
  static constexpr double samples[][3] = {{3, 0.5, 1.2}, {1, 0.7, 0.0}, {2, 1.3, 0.0}};

  static double point_scale(const double*) { return 1.0; }

  template <class N>
  static GRAMIAN_INLINE N base(const Pair<N>& at, const double* p) {
    return at.s * constant<N>(p[1]) + constant<N>(p[2]);
  }
  template <class N>
  static GRAMIAN_INLINE N value(const Pair<N>& at, const double* p) {
    return isa::whole_power(base(at, p), static_cast<int>(p[0]));
  }
  template <class N>
  static GRAMIAN_INLINE Partials<N> partials(const Pair<N>& at, const double* p) {
    return {isa::whole_power(base(at, p), static_cast<int>(p[0]) - 1) * constant<N>(p[0] * p[1])};
  }
  template <class V>
  static GRAMIAN_INLINE void parameter_partials(const Pair<V>& at, const double* p, V* out) {
    out[0] = V{};  // a whole number is not learned
    out[2] = isa::whole_power(base(at, p), static_cast<int>(p[0]) - 1) * constant<V>(p[0]);
    out[1] = out[2] * at.s;
  }
};

}  // namespace
}  // namespace gramian
