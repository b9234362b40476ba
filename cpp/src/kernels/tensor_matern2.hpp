// SPDX-License-Identifier: BSD-3-Clause
// [DKL] Sec. 4.1: the tensor Matérn kernel of order 2, k(x, y) = prod_i (1 + r_i) exp(-r_i) with r_i = gamma |x_i - y_i|
#pragma once

#include "kernels/coordinate.hpp"

namespace gramian {
namespace {

struct TensorMatern2 : CoordinateProduct {
  static constexpr const char* name = "tensor_matern2";
  static constexpr const char* formula = R"(k(x, y) = \prod_i (1 + r_i) \, e^{-r_i}, \quad r_i = \gamma \, |x_i - y_i|)";
  static constexpr bool smooth_at_coincidence = true;
  static constexpr PointKind points = PointKind::vectors;
  static constexpr double squared_lipschitz = 1.0;  // the second moment of the spectrum, -kappa''(0)
  static constexpr KernelSpectrum spectrum{1.0, 0, 3};
  static constexpr double samples[][1] = {{0.8}, {2.2}};

  template <class V>
  static GRAMIAN_INLINE V factor(V r) {
    return constant<V>(1.0) + r;
  }
  template <class N>
  static GRAMIAN_INLINE N log_slope(N r) {
    return (constant<N>(0.0) - r) / (constant<N>(1.0) + r);
  }
};

}  // namespace
}  // namespace gramian
