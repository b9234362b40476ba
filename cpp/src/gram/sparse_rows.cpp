// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace gramian {

namespace {

template <class T>
[[noreturn]] void refuse_entry(const SparseRows<T>& X, Index row, Index entry, const char* name) {
  const std::string beginning = "row " + std::to_string(row) + " of " + name + " has ";
  const Index column = X.columns[entry];
  if (column >= 0 && column < X.cols) throw std::invalid_argument(beginning + "an entry that is not finite");
  throw std::invalid_argument(beginning + "column " + std::to_string(column) + ": it must be in 0 .. " +
                              std::to_string(X.cols - 1));
}

[[noreturn]] void refuse_row_start(const char* name, const std::string& wanted) {
  throw std::invalid_argument(std::string("row_start of ") + name + " must " + wanted);
}

}  // namespace

template <class T>
void check_sparse(const SparseRows<T>& X, const char* name, Index first_row) {
  if (X.row_start == nullptr || X.row_start[0] < 0) refuse_row_start(name, "begin at 0 or above");
  // All of row_start first: it says where the others are read.
  for (Index i = 0; i < X.rows; ++i) {
    if (X.row_start[i] > X.row_start[i + 1])
      refuse_row_start(name, "not decrease: it does at row " + std::to_string(first_row + i));
  }
  for (Index i = 0; i < X.rows; ++i) {
    for (Index e = X.row_start[i]; e < X.row_start[i + 1]; ++e) {
      if (X.columns[e] < 0 || X.columns[e] >= X.cols || !std::isfinite(X.values[e])) refuse_entry(X, first_row + i, e, name);
    }
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

template void check_sparse(const SparseRows<double>&, const char*, Index);
template void check_sparse(const SparseRows<float>&, const char*, Index);

}  // namespace gramian
