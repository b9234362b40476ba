// SPDX-License-Identifier: BSD-3-Clause
// A gradient in a set of points, against differences of the value in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/ridge_problem.hpp"

namespace naive {

/// Each entry of a gradient in points, and the gradient along a direction. growth: of relative errors in `value`, which is of
/// this magnitude. Points are 4 / n apart in each coordinate; see gram/test_adjoint.cpp for the step.
template <class F>
inline void check_gradient(const std::string& what, const Matrix<double>& got, const Rows& at, Real growth, Real magnitude,
                           const F& value) {
  const Index p = got.view.cols();
  Real scale = 0;
  for (const double g : got.numbers) scale = std::max(scale, static_cast<Real>(std::fabs(g)));
  const Real allowed = 0x1p10L * 0x1p-53L * growth * scale;
  const auto direction = normal<double>(got.view.rows(), p, 77);
  const auto check = [&](Real computed, Real size, const auto& along, const std::string& where) {
    const auto f = [&](Real t) {
      Rows moved = at;
      along(moved, t);
      return value(moved);
    };
    const difference::Slope wanted = difference::slope(f, 2e-5L, growth * magnitude);
    const bool right = difference::agrees(computed, wanted, size * allowed, size * scale),
               perturbed = difference::agrees(computed + 1e-5L * size * scale, wanted, size * allowed, size * scale);
    check::that(right,
                what + where + ": " + check::show(computed) + " and " + check::show(wanted.value) + " +- " +
                    check::show(wanted.error + allowed),
                __FILE__, __LINE__);
    check::that(!perturbed, what + where + ": a wrong gradient passes", __FILE__, __LINE__);
  };
  for (Index e = 0; e < got.view.rows() * p; ++e) {
    const auto i = static_cast<std::size_t>(e / p), k = static_cast<std::size_t>(e % p);
    check(
        got.numbers[static_cast<std::size_t>(e)], 1, [&](Rows& moved, Real t) { moved[i][k] += t; },
        ", entry " + std::to_string(e));
  }
  // <J v, 1> = <v, J^T 1>
  const Rows v = points(direction.view);
  const auto along = [&](Rows& moved, Real t) {
    for (std::size_t i = 0; i < moved.size(); ++i) {
      for (std::size_t k = 0; k < moved[i].size(); ++k) moved[i][k] += t * v[i][k];
    }
  };
  check(difference::dot(got.numbers, direction.numbers), static_cast<Real>(got.numbers.size()), along, ", along a direction");
}

}  // namespace naive
