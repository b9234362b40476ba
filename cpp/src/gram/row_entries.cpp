// SPDX-License-Identifier: BSD-3-Clause
#include "gram/row_entries.hpp"

#include <algorithm>

namespace gramian {

RowEntries entries_of(const Points& X, Index row) {
  RowEntries out;
  const auto add = [&out](Index column, double value) {
    if (!out.empty() && out.back().first == column) {
      out.back().second += value;
    } else {
      out.emplace_back(column, value);
    }
  };
  if (X.sparse()) {
    const SparseRows<double>& rows = X.sparse64();
    RowEntries stored;
    for (Index e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e) stored.emplace_back(rows.columns[e], rows.values[e]);
    std::stable_sort(stored.begin(), stored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : stored) add(column, value);
  } else {
    for (Index column = 0; column < X.dimension(); ++column) add(column, X.float64()(row, column));
  }
  out.erase(std::remove_if(out.begin(), out.end(), [](const auto& entry) { return entry.second == 0.0; }), out.end());
  return out;
}

}  // namespace gramian
