// SPDX-License-Identifier: BSD-3-Clause
// Some neighbouring points, without a copy; and dense copies of float64 points.
#pragma once

#include "gramian/base/error.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {

/// Points first .. first + rows - 1 of float64 points.
inline Points rows_of(const Points& X, Index first, Index rows) {
  require(X.scalar() == Scalar::float64, "points must be float64");
  require(first >= 0 && first + rows <= X.size(), "points are counted from 0");
  if (!X.sparse()) return Points(part(X.float64(), first, rows, 0, X.dimension()));
  SparseRows<double> some = X.sparse64();
  some.rows = rows;
  some.row_start += first;
  return Points(some);
}

inline Matrix dense_copy(const Points& X) {
  require(X.scalar() == Scalar::float64, "points must be float64");
  if (!X.sparse()) return Matrix::copy_of(X.float64());
  const SparseRows<double>& rows = X.sparse64();
  Matrix out = Matrix::filled(rows.rows, rows.cols, 0.0);
  for (Index i = 0; i < rows.rows; ++i) {
    for (Index e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) {
      require(rows.columns[e] >= 0 && rows.columns[e] < rows.cols, "points have a column index out of its range");
      out(i, rows.columns[e]) += rows.values[e];
    }
  }
  return out;
}

}  // namespace gramian
