// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/rows.hpp"

namespace gramian {

SomeRows::SomeRows(const Points& from, const std::vector<Index>& rows) : sparse_(from.sparse()), cols_(from.dimension()) {
  if (sparse_) {
    copy_sparse(from.sparse64(), rows);
    return;
  }
  dense_ = Matrix(static_cast<Index>(rows.size()), cols_);
  for (Index i = 0; i < dense_.rows(); ++i) {
    for (Index j = 0; j < cols_; ++j) dense_(i, j) = from.float64()(rows[static_cast<std::size_t>(i)], j);
  }
}

void SomeRows::copy_sparse(const SparseRows<double>& from, const std::vector<Index>& rows) {
  row_start_.push_back(0);
  for (const Index row : rows) {
    columns_.insert(columns_.end(), from.columns + from.row_start[row], from.columns + from.row_start[row + 1]);
    values_.insert(values_.end(), from.values + from.row_start[row], from.values + from.row_start[row + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
}

Points SomeRows::points() const {
  if (!sparse_) return Points(dense_.view());
  const SparseRows<double> rows{static_cast<Index>(row_start_.size()) - 1, cols_, row_start_.data(), columns_.data(),
                                values_.data()};
  return Points(rows);
}

}  // namespace gramian
