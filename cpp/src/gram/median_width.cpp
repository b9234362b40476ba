// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/median_width.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gram/source.hpp"
#include "linalg/tall.hpp"

namespace gramian {
namespace {

/// Squared distances of all pairs, from inner products; 0 where these can't tell the two points apart.
std::vector<double> squared_distances(MatrixView<const double> inner) {
  constexpr double indistinct = 64.0 * 0x1p-53;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(inner.rows() * (inner.rows() - 1) / 2));
  for (Index i = 0; i < inner.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double squares = inner(i, i) + inner(j, j), distance = squares - 2.0 * inner(i, j);
      all.push_back(distance <= indistinct * squares ? 0.0 : distance);
    }
  }
  return all;
}

std::vector<double> squared_distances(const PointSource& input) {
  if (input.inner()) return squared_distances(input.products().inner());
  Matrix inner(input.size(), input.size());
  const Kernel linear("linear", {});
  if (input.points().sparse()) {
    full(linear, input.points(), inner.view());
  } else {
    // Distances stay, and their squares lose no digits to the distance from the origin.
    const MatrixView<const double> X = input.points().float64();
    Matrix centred(X.rows(), X.cols());
    centre_columns(X, centred.view());
    full(linear, Points(std::as_const(centred).view()), inner.view());
  }
  return squared_distances(std::as_const(inner).view());
}

double gamma_of(double median, double mean) {
  const double middle = median > 0.0 ? median : mean;
  return middle > 0.0 ? 1.0 / middle : 1.0;
}

std::vector<Index> rows_that_decide(Index size) {
  if (size > subsample_rows) return some_rows(size);
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

void check_weights(const std::vector<double>& weights, Index size) {
  require(static_cast<Index>(weights.size()) == size, "weights must have an entry for each sample");
  for (const double w : weights) require(std::isfinite(w) && w >= 0.0, "weights must be finite numbers of at least 0");
}

struct WeightedDistance {
  double distance;
  double weight;  ///< how many pairs are this far from each other
};

/// Of all pairs of rows; the first entry is of copies of one row.
std::vector<WeightedDistance> weighted(const std::vector<double>& distances, const std::vector<double>& weights,
                                       const std::vector<Index>& rows) {
  std::vector<WeightedDistance> all = {{0.0, 0.0}};
  all.reserve(distances.size() + 1);
  auto distance = distances.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = weights[static_cast<std::size_t>(rows[i])];
    all.front().weight += std::max(weight * (weight - 1.0), 0.0) / 2.0;
    for (std::size_t j = 0; j < i; ++j) all.push_back({*distance++, weight * weights[static_cast<std::size_t>(rows[j])]});
  }
  return all;
}

double gamma_of(std::vector<WeightedDistance> all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.distance < b.distance; });
  double pairs = 0.0, sum = 0.0, so_far = 0.0;
  for (const WeightedDistance& each : all) {
    pairs += each.weight;
    sum += each.weight * each.distance;
  }
  const auto middle =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return (so_far += each.weight) > pairs / 2.0; });
  return gamma_of(middle == all.end() ? 0.0 : middle->distance, pairs > 0.0 ? sum / pairs : 0.0);
}

}  // namespace

double median_gamma(const PointSource& input) {
  check_source(input);
  const PickedRows few = input.size() > subsample_rows ? PickedRows(input, some_rows(input.size())) : PickedRows();
  std::vector<double> distances = squared_distances(few.size() > 0 ? few.source() : input);
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return gamma_of(*middle, std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size()));
}

double median_gamma(const PointSource& input, const std::vector<double>& weights) {
  check_source(input);
  check_weights(weights, input.size());
  const std::vector<Index> rows = rows_that_decide(input.size());
  return gamma_of(weighted(squared_distances(PickedRows(input, rows).source()), weights, rows));
}

}  // namespace gramian
