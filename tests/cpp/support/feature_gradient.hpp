// SPDX-License-Identifier: BSD-3-Clause
// The reverse pass of a feature map against differences of its features, and against what adjoint means.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/layers/feature_map.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

namespace features {

using difference::Numbers;
using difference::Real;
using gramian::FeatureMap;
using gramian::FeaturePass;
using gramian::Index;
using gramian::MatrixView;

/// What is differentiated: all features of X, row by row, as a function of the parameters; known up to `rounding` each, and by
/// differences with this step.
template <class F>
struct Reference {
  F features;
  Real step;
  Real rounding;
};
template <class F>
Reference(F, Real, Real) -> Reference<F>;

inline Numbers wide(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

/// The engine's own forward pass as such a function, in double.
inline auto by_engine(FeatureMap& map, MatrixView<const double> X, const FeaturePass& pass) {
  return [&map, X, pass](const Numbers& theta) {
    naive::Matrix<double> Z(X.rows(), map.outputs());
    const std::vector<double> narrow(theta.begin(), theta.end());
    map.forward(narrow.data(), X, Z.view, pass);
    return wide(Z.numbers);
  };
}

/// Each partial derivative of <Z, Zbar>, and <J v, Zbar> = <v, J^T Zbar>; each with a wrong gradient that must not pass.
/// sum_growth: how many terms a parameter's gradient sums, for its rounding.
template <class F>
void check_reverse(const std::string& what, FeatureMap& map, const std::vector<double>& theta, MatrixView<const double> X,
                   const FeaturePass& pass, Real sum_growth, const Reference<F>& reference) {
  naive::Matrix<double> Z(X.rows(), map.outputs());
  const auto Zbar = naive::normal<double>(X.rows(), map.outputs(), 501);
  std::vector<double> got(theta.size(), std::nan(""));
  map.forward(theta.data(), X, Z.view, pass);
  map.reverse(Zbar.view, got.data());

  Real scale = 0, size = 0;
  for (const double g : got) scale = std::max(scale, static_cast<Real>(std::fabs(g)));
  for (const double z : Zbar.numbers) size += std::fabs(static_cast<Real>(z));
  const Real allowed = 16 * sum_growth * 0x1p-53L * scale, wrong = 1e-5L * scale;
  // difference::slopes counts 8 ulps of long double of this magnitude.
  const Real one = reference.rounding / (8 * std::numeric_limits<Real>::epsilon());
  const auto moved = [&](const Numbers& v, Real t) {
    Numbers at = wide(theta);
    for (std::size_t p = 0; p < at.size(); ++p) at[p] += t * v[p];
    return reference.features(at);
  };
  for (std::size_t p = 0; p < theta.size(); ++p) {
    Numbers v(theta.size(), 0);
    v[p] = 1;
    const auto f = [&](Real t) { return difference::dot(moved(v, t), Zbar.numbers); };
    const difference::Slope wanted = difference::slope(f, reference.step, size * one);
    const Real computed = static_cast<Real>(got[p]);
    check::that(difference::agrees(computed, wanted, allowed, scale),
                what + ", parameter " + std::to_string(p) + ": " + check::show(computed) + " and " + check::show(wanted.value) +
                    " +- " + check::show(wanted.error + allowed),
                __FILE__, __LINE__);
    check::that(!difference::agrees(computed + wrong, wanted, allowed, scale),
                what + ", parameter " + std::to_string(p) + ": a wrong derivative passes", __FILE__, __LINE__);
  }
  const auto v = naive::normal<double>(static_cast<Index>(theta.size()), 1, 502).numbers;
  const auto along = difference::slopes([&](Real t) { return moved(wide(v), t); }, reference.step, one);
  const Real room = allowed * static_cast<Real>(theta.size());
  check::that(difference::adjoint_pair(along, Zbar.numbers, v, got, room), what + ": not the adjoint", __FILE__, __LINE__);
  got[0] += static_cast<double>(1e-4L * scale / static_cast<Real>(v[0]));
  check::that(!difference::adjoint_pair(along, Zbar.numbers, v, got, room), what + ": a wrong adjoint passes", __FILE__,
              __LINE__);
}

/// Numbers of a forward and of a reverse pass, one after the other.
inline std::vector<double> both_passes(FeatureMap& map, const std::vector<double>& theta, MatrixView<const double> X,
                                       const FeaturePass& pass = {}) {
  naive::Matrix<double> Z(X.rows(), map.outputs());
  const auto Zbar = naive::normal<double>(X.rows(), map.outputs(), 503);
  std::vector<double> bar(theta.size());
  map.forward(theta.data(), X, Z.view, pass);
  map.reverse(Zbar.view, bar.data());
  bar.insert(bar.end(), Z.numbers.begin(), Z.numbers.end());
  return bar;
}

/// X with gaps between its rows and columns; Z and Zbar column by column.
inline std::vector<double> both_passes_strided(FeatureMap& map, const std::vector<double>& theta, MatrixView<const double> X,
                                               const FeaturePass& pass = {}) {
  const Index n = X.rows(), d = X.cols(), p = map.outputs();
  naive::Matrix<double> wide_X(n, 3 * d), Z(p, n), Zbar(p, n);
  const auto bar_of = naive::normal<double>(n, p, 503);
  const MatrixView<double> gaps(wide_X.numbers.data(), n, d, 3 * d, 2), columns(Z.numbers.data(), n, p, 1, n),
      bar_columns(Zbar.numbers.data(), n, p, 1, n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) gaps(i, k) = X(i, k);
    for (Index j = 0; j < p; ++j) bar_columns(i, j) = bar_of.view(i, j);
  }
  std::vector<double> out(theta.size());
  map.forward(theta.data(), gaps, columns, pass);
  map.reverse(bar_columns, out.data());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) out.push_back(columns(i, j));
  }
  return out;
}

}  // namespace features
