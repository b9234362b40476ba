// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"

namespace gramian {

template <class T>
void check_sparse(const SparseRows<T>& X, const char* name) {
  const auto check = [name](bool condition, const char* what) {
    if (!condition) require(false, name + std::string(what));
  };
  check(X.row_start[0] >= 0, ": row_start begins below 0");
  for (Index i = 0; i < X.rows; ++i) check(X.row_start[i] <= X.row_start[i + 1], ": row_start decreases");
  for (Index e = X.row_start[0]; e < X.row_start[X.rows]; ++e) {
    check(X.columns[e] >= 0 && X.columns[e] < X.cols, " has a column index out of range");
    check(std::isfinite(X.values[e]), " has an entry that is not finite");
  }
}

void refuse_square(const char* name, Index row) {
  throw std::invalid_argument(std::string(name) + " has an entry in row " + std::to_string(row) + " whose square overflows");
}

void sort_row(const SparseRows<double>& X, Index row, std::vector<SparseEntry>& out) {
  out.clear();
  bool ascending = true;
  for (Index e = X.row_start[row]; e < X.row_start[row + 1]; ++e) {
    ascending = ascending && (out.empty() || out.back().column < X.columns[e]);
    out.push_back({X.columns[e], X.values[e]});
  }
  if (ascending) return;
  // By value too: sums of repeated entries do not depend on their order, and std::stable_sort would take memory.
  std::sort(out.begin(), out.end(), [](const SparseEntry& a, const SparseEntry& b) {
    return a.column != b.column ? a.column < b.column : a.value < b.value;
  });
  std::size_t kept = 0;
  for (std::size_t e = 1; e < out.size(); ++e) {
    if (out[e].column == out[kept].column) {
      out[kept].value += out[e].value;
    } else {
      out[++kept] = out[e];
    }
  }
  out.resize(kept + 1);
}

double square_of(const std::vector<SparseEntry>& row) {
  double square = 0.0;
  for (const SparseEntry& entry : row) square += entry.value * entry.value;
  return square;
}

template void check_sparse(const SparseRows<double>&, const char*);
template void check_sparse(const SparseRows<float>&, const char*);

}  // namespace gramian
