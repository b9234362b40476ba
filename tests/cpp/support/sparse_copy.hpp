// SPDX-License-Identifier: BSD-3-Clause
// Dense points as sparse ones, stored as awkwardly as may be.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"
#include "support/naive.hpp"

namespace naive {

template <class T>
struct Sparse {
  gramian::SparseRows<T> rows() const { return {n, d, start.data(), columns.data(), values.data()}; }
  Index n = 0, d = 0;
  std::vector<Index> start{0};
  std::vector<Index> columns;
  std::vector<T> values;
};

/// Every row backwards; what stands in an even column is split in two entries that add up exactly.
template <class T>
Sparse<T> sparse_of(const Matrix<T>& X) {
  Sparse<T> out;
  out.n = X.view.rows(), out.d = X.view.cols();
  const auto add = [&](Index column, T value) { out.columns.push_back(column), out.values.push_back(value); };
  for (Index i = 0; i < out.n; ++i) {
    for (Index k = out.d - 1; k >= 0; --k) {
      if (X.view(i, k) == T(0)) continue;
      add(k, k % 2 == 0 ? X.view(i, k) / T(2) : X.view(i, k));
      if (k % 2 == 0) add(k, X.view(i, k) / T(2));
    }
    out.start.push_back(static_cast<Index>(out.columns.size()));
  }
  return out;
}

}  // namespace naive
