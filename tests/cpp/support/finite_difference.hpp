// SPDX-License-Identifier: BSD-3-Clause
// Derivatives by differences, with a bound on their own error, and the two ways in which a derivative is proved.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace difference {

using Real = long double;
using Numbers = std::vector<Real>;

struct Slope {
  Real value;
  Real error;
};

/// Fourth-order central difference: f'(0) = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h + h^4 f'''''/30.
inline Real central(Real near_difference, Real far_difference, Real h) {
  return (8 * near_difference - far_difference) / (12 * h);
}

/// The derivatives at 0 of a function of one number with many results. With 2h in place of h the truncation error is 16 times as
/// large, so the difference of the two is 15 times that of the first; the results' rounding errors, u times magnitude, are
/// divided by h.
template <class F>
std::vector<Slope> slopes(const F& f, Real h, Real magnitude) {
  const Numbers at[6] = {f(h), f(-h), f(2 * h), f(-2 * h), f(4 * h), f(-4 * h)};
  const Real rounding = 8 * std::numeric_limits<Real>::epsilon() * magnitude / h;
  std::vector<Slope> out;
  for (std::size_t i = 0; i < at[0].size(); ++i) {
    const Real far = at[2][i] - at[3][i];
    const Real fine = central(at[0][i] - at[1][i], far, h), coarse = central(far, at[4][i] - at[5][i], 2 * h);
    out.push_back({fine, std::fabs(coarse - fine) / 4 + rounding});
  }
  return out;
}

/// The same for one result.
template <class F>
Slope slope(const F& f, Real h, Real magnitude) {
  return slopes([&](Real t) { return Numbers{f(t)}; }, h, magnitude)[0];
}

template <class A, class B>
Real dot(const A& a, const B& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<Real>(a[i]) * static_cast<Real>(b[i]);
  return sum;
}

/// Whether a computed derivative is the one that differences show, up to `allowed` for its own rounding. A difference that knows
/// less than a thousandth of `scale` proves nothing and agrees with nothing. Written so that NaN fails.
inline bool agrees(Real computed, const Slope& expected, Real allowed, Real scale) {
  return expected.error + allowed <= 1e-3L * scale && std::fabs(computed - expected.value) <= expected.error + allowed;
}

/// <J v, w> = <v, J^T w>: `along` is J v, by differences; `back` is J^T w, as computed.
template <class W, class V, class Back>
bool adjoint_pair(const std::vector<Slope>& along, const W& w, const V& v, const Back& back, Real allowed) {
  Real left = 0, error = allowed;
  for (std::size_t i = 0; i < along.size(); ++i) {
    left += along[i].value * static_cast<Real>(w[i]);
    error += along[i].error * std::fabs(static_cast<Real>(w[i]));
  }
  return std::fabs(left - dot(v, back)) <= error;
}

}  // namespace difference
