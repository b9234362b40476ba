// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/conditional_mean/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian::conditional_mean {
namespace {

constexpr double seconds_per_number = 1e-9, seconds_per_sorted = 3e-8, seconds_per_density = 5e-9;
constexpr double rounding = 1e-12;  // of a sum of weights
constexpr double root_of_two_pi = 2.5066282746310002;
constexpr double silverman_factor = 0.9, silverman_power = -0.2;

/// What is taken off all weights, so that those that stay above 0 add up to 1; sorted: decreasing.
double threshold_of(const double* sorted, Index n) {
  double sum = 0.0, threshold = 0.0;
  for (Index k = 0; k < n; ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (k > 0 && sorted[k] <= candidate) break;
    threshold = candidate;
  }
  return threshold;
}

void require_weights(MatrixView<const double> W, MatrixView<const double> Y, Index columns) {
  require(W.cols() > 0, "W must have a column for each output, and at least one");
  require_shape(Y, W.cols(), columns, "outputs");
}

/// The rows of y: n x 1, increasing.
std::vector<Index> order_of(MatrixView<const double> y) {
  std::vector<Index> order(static_cast<std::size_t>(y.rows()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a, 0) < y(b, 0); });
  return order;
}

double deviation(MatrixView<const double> W, Index row, MatrixView<const double> Y, Index column) {
  double mean = 0.0, square = 0.0;
  for (Index i = 0; i < W.cols(); ++i) mean += W(row, i) * Y(i, column);
  for (Index i = 0; i < W.cols(); ++i) square += W(row, i) * (Y(i, column) - mean) * (Y(i, column) - mean);
  return std::sqrt(square);
}

double silverman(MatrixView<const double> W, Index row, MatrixView<const double> y) {
  double squares = 0.0;
  for (Index i = 0; i < W.cols(); ++i) squares += W(row, i) * W(row, i);
  const double width = silverman_factor * deviation(W, row, y, 0) * std::pow(1.0 / squares, silverman_power);
  require(width > 0.0, "bandwidth must be given: the distribution of a row is on one output only");
  return width;
}

double density(MatrixView<const double> W, Index row, MatrixView<const double> y, double at, double width) {
  double sum = 0.0;
  for (Index i = 0; i < W.cols(); ++i) {
    if (W(row, i) == 0.0) continue;
    const double z = (at - y(i, 0)) / width;
    sum += W(row, i) * std::exp(-0.5 * z * z);
  }
  return sum / (root_of_two_pi * width);
}

/// seconds: of each number of W.
template <class F>
void for_rows(MatrixView<const double> W, double seconds, F f) {
  parallel_for(W.rows(), seconds * static_cast<double>(W.cols()), [&](Index row, int) { f(row); });
}

}  // namespace

void project_on_simplex(MatrixView<double> weights) {
  require(weights.cols() > 0, "weights must have at least one column");
  require_finite(MatrixView<const double>(weights), "weights");
  const Index n = weights.cols();
  for_rows(weights, seconds_per_sorted, [&](Index row) {
    Buffer<double> sorted(n);
    for (Index i = 0; i < n; ++i) sorted[i] = weights(row, i);
    std::sort(sorted.data(), sorted.data() + n, std::greater<>());
    const double threshold = threshold_of(sorted.data(), n);
    for (Index i = 0; i < n; ++i) weights(row, i) = std::max(0.0, weights(row, i) - threshold);
  });
}

void deviations(MatrixView<const double> W, MatrixView<const double> Y, MatrixView<double> out) {
  require_weights(W, Y, Y.cols());
  require_shape(out, W.rows(), Y.cols(), "out");
  for_rows(W, 2.0 * seconds_per_number * static_cast<double>(Y.cols()), [&](Index row) {
    for (Index j = 0; j < Y.cols(); ++j) out(row, j) = deviation(W, row, Y, j);
  });
}

void quantiles(MatrixView<const double> W, MatrixView<const double> y, const std::vector<double>& levels,
               MatrixView<double> out) {
  require_weights(W, y, 1);
  require_shape(out, W.rows(), static_cast<Index>(levels.size()), "out");
  for (const double level : levels) require(level >= 0.0 && level <= 1.0, "levels must be in [0, 1]");
  const std::vector<Index> order = order_of(y);
  for_rows(W, seconds_per_number * static_cast<double>(levels.size()), [&](Index row) {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      double sum = 0.0, found = std::numeric_limits<double>::quiet_NaN();
      for (const Index i : order) {
        if (W(row, i) == 0.0) continue;
        found = y(i, 0);
        sum += W(row, i);
        if (sum >= levels[l] - rounding) break;
      }
      out(row, static_cast<Index>(l)) = found;
    }
  });
}

void distribution_values(MatrixView<const double> W, MatrixView<const double> y, MatrixView<const double> at,
                         MatrixView<double> out) {
  require_weights(W, y, 1);
  require_shape(at, W.rows(), 1, "at");
  require_shape(out, W.rows(), 1, "out");
  for_rows(W, seconds_per_number, [&](Index row) {
    double below = 0.0, equal = 0.0;
    for (Index i = 0; i < W.cols(); ++i) {
      if (y(i, 0) < at(row, 0)) below += W(row, i);
      if (y(i, 0) == at(row, 0)) equal += W(row, i);
    }
    out(row, 0) = std::min(1.0, below + 0.5 * equal);
  });
}

void densities(MatrixView<const double> W, MatrixView<const double> y, MatrixView<const double> at, double bandwidth,
               MatrixView<double> out) {
  require_weights(W, y, 1);
  require_shape(at, at.rows(), 1, "at");
  require_shape(out, W.rows(), at.rows(), "out");
  require_not_negative(bandwidth, "bandwidth");
  Buffer<double> widths(W.rows());
  for (Index row = 0; row < W.rows(); ++row) widths[row] = bandwidth > 0.0 ? bandwidth : silverman(W, row, y);
  for_rows(W, seconds_per_density * static_cast<double>(at.rows()), [&](Index row) {
    for (Index g = 0; g < at.rows(); ++g) out(row, g) = density(W, row, y, at(g, 0), widths[row]);
  });
}

}  // namespace gramian::conditional_mean
