// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/column_scaling.hpp"

#include <algorithm>
#include <cmath>

#include "gram/row_entries.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index rows_between_polls = 256;
/// Below it the inverse of a number may overflow.
constexpr double smallest_size = 1e-290;
/// Of the mean: what rounding leaves of a constant column is no deviation.
constexpr double negligible_deviation = 1e-10;

bool each_stored_once(const SparseRows<double>& X, Index row) {
  for (Index e = X.row_start[row] + 1; e < X.row_start[row + 1]; ++e) {
    if (X.columns[e - 1] >= X.columns[e]) return false;
  }
  return true;
}

/// f(row, column, value) of all entries that are stored, once each.
template <class F>
void each_entry(const Points& X, F&& f) {
  const SparseRows<double>& rows = X.sparse64();
  for (Index row = 0; row < X.size(); ++row) {
    if (row % rows_between_polls == 0) poll_stop();
    if (!X.sparse()) {
      for (Index column = 0; column < X.dimension(); ++column) f(row, static_cast<std::size_t>(column), X.float64()(row, column));
    } else if (each_stored_once(rows, row)) {
      for (Index e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e) {
        f(row, static_cast<std::size_t>(rows.columns[e]), rows.values[e]);
      }
    } else {
      for (const auto& [column, value] : entries_of(X, row)) f(row, static_cast<std::size_t>(column), value);
    }
  }
}

/// Sums that lose nothing: the mean of a column is what is left of it when all else cancels.
class Sums {
 public:
  explicit Sums(std::size_t count) : sums_(count, 0.0), lost_(count, 0.0) {}
  void add(std::size_t i, double value) {
    const double sum = sums_[i] + value;
    lost_[i] += std::abs(sums_[i]) >= std::abs(value) ? (sums_[i] - sum) + value : (value - sum) + sums_[i];
    sums_[i] = sum;
  }
  double operator[](std::size_t i) const { return sums_[i] + lost_[i]; }

 private:
  std::vector<double> sums_, lost_;
};

}  // namespace

ColumnScaling column_scaling(const Points& X, const double* weights) {
  require_float64(X, "X");
  const auto columns = static_cast<std::size_t>(X.dimension());
  const auto weight = [weights](Index row) { return weights == nullptr ? 1.0 : weights[row]; };
  double total = 0.0;
  for (Index row = 0; row < X.size(); ++row) total += weight(row);
  require(total > 0.0, "weights must have a sum above 0");

  // Powers of two, which divide without rounding: the squares of what is large would overflow.
  std::vector<double> size(columns, 0.0);
  each_entry(X, [&](Index, std::size_t c, double value) { size[c] = std::max(size[c], std::abs(value)); });
  for (double& s : size) s = s > smallest_size ? std::ldexp(1.0, std::ilogb(s)) : 1.0;

  Sums sum(columns), variance(columns);
  std::vector<double> mean(columns), share(columns, 0.0);
  std::vector<Index> stored(columns, 0);
  each_entry(X, [&](Index row, std::size_t c, double value) { sum.add(c, weight(row) * (value / size[c])); });
  for (std::size_t c = 0; c < columns; ++c) mean[c] = sum[c] / total;
  // Of differences to the mean: those of squares would cancel.
  each_entry(X, [&](Index row, std::size_t c, double value) {
    const double difference = value / size[c] - mean[c];
    variance.add(c, weight(row) * (difference * difference));
    share[c] += weight(row) / total;
    ++stored[c];
  });

  ColumnScaling out{std::vector<double>(columns), std::vector<double>(columns)};
  for (std::size_t c = 0; c < columns; ++c) {
    const double zeros = stored[c] == X.size() ? 0.0 : std::max(1.0 - share[c], 0.0);
    const double deviation = std::sqrt(variance[c] / total + zeros * mean[c] * mean[c]) * size[c];
    out.shift[c] = mean[c] * size[c];
    out.scale[c] = deviation <= negligible_deviation * std::abs(out.shift[c]) ? 1.0 : deviation;
  }
  return out;
}

}  // namespace gramian
