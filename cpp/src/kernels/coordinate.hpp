// SPDX-License-Identifier: BSD-3-Clause
// What kernels that are products over coordinates have in common: k(x, y) = prod_i kappa(r_i), r_i = gamma |x_i - y_i|,
// kappa(r) = factor(r) exp(-r).
#pragma once

#include "kernels/profile.hpp"

namespace gramian {
namespace {

struct CoordinateProduct {
  static constexpr ParameterSpec parameters[] = {{"gamma", "inverse width of every coordinate", Domain::positive}};
  static constexpr Form form = Form::coordinate;
  static constexpr double supremum = 1.0;
  static constexpr KernelWidth width{0, 1.0, -1.0};
  static constexpr bool explicit_features = false;
  static constexpr bool has_factor = true;

  static double point_scale(const double* p) { return p[0]; }

  /// From what a tile collects: the sum of r_i and the product of factor(r_i).
  template <class V>
  static GRAMIAN_INLINE V finish(V sum, V product) {
    return product * isa::exp2_nonpositive(sum * constant<V>(-1.4426950408889634));  // a sum of sizes needs no clamp
  }
};

}  // namespace
}  // namespace gramian
