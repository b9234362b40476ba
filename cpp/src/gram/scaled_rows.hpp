// SPDX-License-Identifier: BSD-3-Clause
// New samples as a model sees them whose training samples were scaled.
#pragma once

#include <vector>

#include "base/workspace.hpp"
#include "gramian/gram/column_scaling.hpp"

namespace gramian {

/// Checks shift and scale of `columns` columns; each may be empty. `what` is what errors call them.
void check_scaling(const ColumnScaling& scaling, Index columns, const char* what);
/// The same scaling, without the numbers that change nothing.
ColumnScaling effective_scaling(ColumnScaling scaling);

/// Rows after a scaling, in memory that serves one call after the other.
class ScaledRows {
 public:
  /// (x - shift) / scale for float64 rows x, as dense or as sparse as the caller asks for; X itself where nothing changes. Sparse
  /// rows are multiplied by 1 / scale, and the shift must be empty. The points are valid until the next call.
  Points take(const Points& X, const ColumnScaling& by, bool sparse);

 private:
  MatrixView<const double> dense(const Points& X, const ColumnScaling& by);
  SparseRows<double> scaled(const SparseRows<double>& X, const std::vector<double>& scale);
  SparseRows<double> compressed(MatrixView<const double> X, const std::vector<double>& scale);

  Room numbers_;
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
};

}  // namespace gramian
