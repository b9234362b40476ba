// SPDX-License-Identifier: BSD-3-Clause
// The engine's second derivatives against differences of its own first ones, which other tests prove.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/check.hpp"

namespace check {

/// `got`: the derivative at 0 of gradient(t), t the length of a step along the direction. The engine's gradients are accurate to
/// about 1e-13 of their size: at this step that is 5e-10 in the derivative, and the truncation error is less than the difference
/// to what twice the step gives. A wrong derivative has to be seen as such.
template <class Gradient>
void hessian_along(const std::string& name, const std::vector<double>& got, const Gradient& gradient) {
  constexpr double step = 5e-4;
  constexpr double steps[6] = {step, -step, 2 * step, -2 * step, 4 * step, -4 * step};
  std::vector<double> at[6];
  for (int k = 0; k < 6; ++k) at[k] = gradient(steps[k]);
  double scale = 0.0;
  for (const double g : got) scale = std::max(scale, std::fabs(g));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double near = at[0][i] - at[1][i], far = at[2][i] - at[3][i], farther = at[4][i] - at[5][i];
    const double fine = (8 * near - far) / (12 * step), coarse = (8 * far - farther) / (24 * step);
    const double allowed = std::fabs(coarse - fine) + 2e-9 * (scale + 1e-3);
    const bool right = std::fabs(got[i] - fine) <= allowed && allowed <= 0.02 * (scale + 1e-3);
    const bool wrong_passes = std::fabs(got[i] + 0.05 * scale - fine) <= allowed && scale > 0.0;
    if (!right || wrong_passes) {
      fail(__FILE__, __LINE__,
           name + ", entry " + std::to_string(i) + ": " + show(got[i]) + " and " + show(fine) + " +- " + show(allowed));
    }
  }
}

}  // namespace check
