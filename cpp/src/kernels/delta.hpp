// SPDX-License-Identifier: BSD-3-Clause
// k(x, y) = 1 if x = y, else 0
#pragma once

#include "kernels/coordinate.hpp"

namespace gramian {
namespace {

struct Delta : CoordinateProduct {
  static constexpr const char* name = "delta";
  static constexpr const char* formula = R"(k(x, y) = 1 \text{ if } x = y, \text{ else } 0)";
  static constexpr NoParameters parameters{};
  static constexpr bool has_factor = false;
  static constexpr KernelWidth width = no_width;
  static constexpr bool smooth_at_coincidence = false;
  static constexpr PointKind points = PointKind::labels;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum = no_spectrum;

  static double point_scale(const double*) { return 1.0; }

  template <class V>
  static GRAMIAN_INLINE V factor(V) {
    return constant<V>(1.0);
  }
  template <class V>
  static GRAMIAN_INLINE V finish(V sum, V) {
    return sum > V{} ? V{} : constant<V>(1.0);
  }
  /// Constant but where it jumps.
  template <class N>
  static GRAMIAN_INLINE N log_slope(N) {
    return constant<N>(0.0);
  }
};

}  // namespace
}  // namespace gramian
