// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/median_width.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

}  // namespace

double median_gamma(const PointSource& input) {
  check_source(input);
  const PickedRows few = input.size() > subsample_rows ? PickedRows(input, some_rows(input.size())) : PickedRows();
  std::vector<double> distances = squared_distances(few.size() > 0 ? few.source() : input);
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0.0) return 1.0 / *middle;
  const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
  return mean > 0.0 ? 1.0 / mean : 1.0;
}

}  // namespace gramian
