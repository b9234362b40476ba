// SPDX-License-Identifier: BSD-3-Clause
// [DKL] Sec. 4.1: the tensor Matérn kernel of order 1, k(x, y) = exp(-gamma |x - y|_1)
#pragma once

#include "kernels/coordinate.hpp"

namespace gramian {
namespace {

struct LaplacianL1 : CoordinateProduct {
  static constexpr const char* name = "laplacian_l1";
  static constexpr const char* formula = R"(k(x, y) = \prod_i e^{-r_i}, \quad r_i = \gamma \, |x_i - y_i|)";
  static constexpr bool has_factor = false;
  static constexpr bool smooth_at_coincidence = false;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr double squared_lipschitz = unbounded;
  static constexpr KernelSpectrum spectrum{1.0, 0, 1};
  static constexpr double samples[][1] = {{0.3}, {1.4}};

  template <class V>
  static GRAMIAN_INLINE V factor(V) {
    return constant<V>(1.0);
  }
  /// d log kappa / dr; where coordinates coincide there is a kink: 0.
  template <class N>
  static GRAMIAN_INLINE N log_slope(N r) {
    using V = typename isa::Number<N>::vector;
    return isa::choose(isa::value_of(r) > V{}, constant<N>(-1.0), constant<N>(0.0));
  }
};

}  // namespace
}  // namespace gramian
