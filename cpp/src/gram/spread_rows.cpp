// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/spread_rows.hpp"

#include <algorithm>
#include <numeric>

#include "gram/row_entries.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index rows_of_a_task = 1024;
constexpr double seconds_of_an_entry = 1e-9;

using Numbers = std::vector<double>;

double& at(Numbers& numbers, Index i) { return numbers[static_cast<std::size_t>(i)]; }

/// The row that a number in [0, 1) falls to, where each has as much room as its weight.
Index drawn_row(const Numbers& weights, double draw) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Numbers ends(weights.size());
  double end = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) ends[i] = end += weights[i] / total;
  return std::upper_bound(ends.begin(), ends.end(), draw, [end](double u, double own) { return u < own / end; }) - ends.begin();
}

/// distances(row, out): squared ones of all rows to this one.
template <class Distances>
std::vector<Index> spread(Index n, Index count, const double* draws, const Distances& distances) {
  require(count >= 1 && count <= n, "count must be in 1 .. the number of rows");
  Numbers nearest(static_cast<std::size_t>(n), 1.0), found(static_cast<std::size_t>(n)), weights;
  std::vector<char> chosen(static_cast<std::size_t>(n), 0);
  for (Index drawn = 0; drawn < count && count < n; ++drawn) {
    poll_stop();
    const auto weigh = [&](auto&& own) {
      weights.assign(static_cast<std::size_t>(n), 0.0);
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = chosen[i] ? 0.0 : own(i);
      return std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; });
    };
    if (!weigh([&](std::size_t i) { return nearest[i]; })) weigh([](std::size_t) { return 1.0; });
    const Index row = drawn_row(weights, draws[drawn]);
    chosen[static_cast<std::size_t>(row)] = 1;
    distances(row, found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double own = std::max(found[i], 0.0);
      nearest[i] = drawn == 0 ? own : std::min(nearest[i], own);
    }
  }
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) {
    if (count == n || chosen[static_cast<std::size_t>(i)]) rows.push_back(i);
  }
  return rows;
}

template <class F>
void each_row(Index n, Index entries, F&& f) {
  const double seconds = seconds_of_an_entry * static_cast<double>(entries * rows_of_a_task);
  parallel_for((n + rows_of_a_task - 1) / rows_of_a_task, seconds, [&](Index task, int) {
    for (Index i = task * rows_of_a_task; i < std::min(n, (task + 1) * rows_of_a_task); ++i) f(i);
  });
}

std::vector<Index> spread_dense(MatrixView<const double> X, Index count, const double* draws) {
  return spread(X.rows(), count, draws, [&](Index row, Numbers& out) {
    each_row(X.rows(), X.cols(), [&](Index i) {
      double sum = 0.0;
      for (Index k = 0; k < X.cols(); ++k) sum += (X(i, k) - X(row, k)) * (X(i, k) - X(row, k));
      at(out, i) = sum;
    });
  });
}

std::vector<Index> spread_sparse(const Points& X, Index count, const double* draws) {
  const Index n = X.size();
  std::vector<RowEntries> rows(static_cast<std::size_t>(n));
  Numbers squares(static_cast<std::size_t>(n)), dense(static_cast<std::size_t>(X.dimension()), 0.0);
  for (Index i = 0; i < n; ++i) {
    rows[static_cast<std::size_t>(i)] = entries_of(X, i);
    for (const auto& [column, value] : rows[static_cast<std::size_t>(i)]) at(squares, i) += value * value;
  }
  return spread(n, count, draws, [&](Index row, Numbers& out) {
    for (const auto& [column, value] : rows[static_cast<std::size_t>(row)]) at(dense, column) = value;
    for (Index i = 0; i < n; ++i) {
      double product = 0.0;
      for (const auto& [column, value] : rows[static_cast<std::size_t>(i)]) product += value * at(dense, column);
      at(out, i) = at(squares, i) + at(squares, row) - 2.0 * product;
    }
    for (const auto& [column, value] : rows[static_cast<std::size_t>(row)]) at(dense, column) = 0.0;
  });
}

}  // namespace

std::vector<Index> spread_rows(const Points& X, Index count, const double* draws) {
  require_float64(X, "X");
  return X.sparse() ? spread_sparse(X, count, draws) : spread_dense(X.float64(), count, draws);
}

std::vector<Index> spread_rows(const InnerProducts<double>& X, Index count, const double* draws) {
  require(X.one_set(), "X must have the inner products of one set");
  const MatrixView<const double> K = X.inner();
  return spread(K.rows(), count, draws, [&](Index row, Numbers& out) {
    for (Index i = 0; i < K.rows(); ++i) at(out, i) = K(i, i) + K(row, row) - 2.0 * K(row, i);
  });
}

}  // namespace gramian
