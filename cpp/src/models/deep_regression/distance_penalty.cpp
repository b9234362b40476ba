// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/distance_penalty.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/parallel.hpp"

namespace gramian::deep_regression {
namespace {

constexpr Index block_rows = 16;
constexpr double seconds_per_pair = 30e-9;

/// coth(s) = 1 + 2 / expm1(2s), and its slope -4 e^{-2s} / expm1(-2s)^2: 1 / sinh^2 would overflow for s of some hundred.
double coth(double s) { return 1.0 + 2.0 / std::expm1(2.0 * s); }
double slope_of_coth(double s) {
  const double away = std::expm1(-2.0 * s);
  return -4.0 * std::exp(-2.0 * s) / (away * away);
}

}  // namespace

/// [DKL] (15): factor sum_{i<j} coth |x_i - x_j|^2.
double add_distance_penalty(double factor, MatrixView<const double> X, MatrixView<double> Xbar, Matrix& room) {
  const Index n = X.rows(), d = X.cols(), blocks = (n + block_rows - 1) / block_rows;
  if (room.size() != blocks) room = Matrix(blocks, 1);
  parallel_for(blocks, seconds_per_pair * static_cast<double>(block_rows * n), [&](Index block, int) {
    double sum = 0.0;
    for (Index i = block * block_rows; i < std::min(n, (block + 1) * block_rows); ++i) {
      for (Index j = 0; j < n; ++j) {
        if (j == i) continue;
        double square = 0.0;
        for (Index k = 0; k < d; ++k) square += (X(i, k) - X(j, k)) * (X(i, k) - X(j, k));
        if (j > i) sum += coth(square);
        const double w = Xbar.empty() ? 0.0 : 2.0 * factor * slope_of_coth(square);
        for (Index k = 0; k < Xbar.cols(); ++k) Xbar(i, k) += w * (X(i, k) - X(j, k));
      }
    }
    room(block, 0) = sum;
  });
  double total = 0.0;
  for (Index block = 0; block < blocks; ++block) total += room(block, 0);
  return factor * total;
}

}  // namespace gramian::deep_regression
