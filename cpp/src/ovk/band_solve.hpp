// SPDX-License-Identifier: BSD-3-Clause
// Systems of few diagonals that differ in a factor and have one right-hand side each, as many of them at once as vectors have
// lanes: without pivoting, as they are positive definite, they all take the same steps.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "gramian/base/matrix.hpp"

namespace gramian {

constexpr Index band_lanes = 8;

/// Column c of V becomes B (D_c B + shift I)^-1 V_c; band(i, d) = B(i, i - d), norm >= |B|, V of at most band_lanes columns.
template <Index width>
void divide_by_band(const Matrix& band, double norm, const double* D, double shift, MatrixView<double> V) {
  using Lanes = Eigen::Array<double, static_cast<int>(band_lanes), 1>;
  const Index n = band.rows(), cols = V.cols();
  Lanes scale = Lanes::Zero();
  for (Index c = 0; c < cols; ++c) scale(c) = D[c];
  // What elimination leaves of a semi-definite matrix plus a shift is never below the shift; where it is below rounding of what
  // it was taken from it has no digit left, and would blow up what comes after it.
  const Lanes least = (16.0 * std::numeric_limits<double>::epsilon() * norm * scale).max(shift);
  // Rows before the first one are those of an identity.
  const Index stride = width + 1;
  Buffer<double> factor_numbers(checked_product(n + width, stride * band_lanes)), x_numbers((n + 2 * width) * band_lanes);
  const auto lanes_of = [](double* numbers, Index i) { return Eigen::Map<Lanes>(numbers + i * band_lanes); };
  const auto factor = [&](Index i, Index d) { return lanes_of(factor_numbers.data(), (i + width) * stride + d); };
  const auto x = [&](Index i) { return lanes_of(x_numbers.data(), i + width); };
  std::fill_n(factor_numbers.data(), width * stride * band_lanes, 0.0);
  std::fill_n(x_numbers.data(), x_numbers.size(), 0.0);
  for (Index i = -width; i < 0; ++i) factor(i, 0).setOnes();

  // (D B + shift I) = L diag(1 / p) Lᵀ, p = factor(i, 0), and forward substitution.
  for (Index i = 0; i < n; ++i) {
    Lanes row[width + 1], sum = x(i);
    for (Index c = 0; c < cols; ++c) sum(c) = V(i, c);
    Lanes pivot = scale * band(i, 0) + shift;
    for (Index d = width; d >= 1; --d) {
      Lanes entry = scale * band(i, d);
      for (Index e = width; e > d; --e) entry -= row[e] * factor(i - d, e - d);
      row[d] = entry;
      const Lanes quotient = entry * factor(i - d, 0);
      pivot -= entry * quotient;
      sum -= quotient * x(i - d);
      factor(i, d) = quotient;
    }
    factor(i, 0) = 1.0 / pivot.max(least);
    x(i) = sum;
  }
  for (Index i = n - 1; i >= 0; --i) {
    Lanes sum = x(i) * factor(i, 0);
    for (Index d = 1; d <= std::min(width, n - 1 - i); ++d) sum -= factor(i + d, d) * x(i + d);
    x(i) = sum;
  }
  for (Index i = 0; i < n; ++i) {
    Lanes sum = band(i, 0) * x(i);
    for (Index d = 1; d <= width; ++d) sum += band(i, d) * x(i - d);
    for (Index d = 1; d <= std::min(width, n - 1 - i); ++d) sum += band(i + d, d) * x(i + d);
    for (Index c = 0; c < cols; ++c) V(i, c) = sum(c);
  }
}

/// Whether B + excess I has positive pivots only.
template <Index width>
bool band_is_positive(const Matrix& band, double excess) {
  const Index n = band.rows();
  Matrix L = Matrix::filled(n, width + 1, 0.0);  // unit lower, with the pivots where ones would be
  for (Index i = 0; i < n; ++i) {
    double row[width + 1], pivot = band(i, 0) + excess;
    for (Index d = std::min(width, i); d >= 1; --d) {
      double entry = band(i, d);
      for (Index e = std::min(width, i); e > d; --e) entry -= row[e] * L(i - d, e - d);
      row[d] = entry;
      L(i, d) = entry / L(i - d, 0);
      pivot -= entry * L(i, d);
    }
    if (!(pivot > 0.0)) return false;
    L(i, 0) = pivot;
  }
  return true;
}

}  // namespace gramian
