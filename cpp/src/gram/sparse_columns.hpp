// SPDX-License-Identifier: BSD-3-Clause
// Sparse supports column by column: a row with few entries meets few of their entries.
#pragma once

#include <vector>

#include "base/workspace.hpp"
#include "gram/sparse_rows.hpp"

namespace gramian {

/// Some sparse rows, and how far each of their entries has come in its column; memory of a thread.
struct SparseQuery {
  struct Cursor {
    Index at, end;  ///< among the entries of all columns
    double value;   ///< of the row
  };
  std::vector<SparseEntry> row{};
  std::vector<Cursor> cursors{};
  std::vector<std::size_t> row_end{};  ///< of the cursors of each row
  std::vector<double> squares{};       ///< |x|^2 of each row
};

/// Immutable: any number of threads may read.
class SparseColumns {
 public:
  /// Throws std::invalid_argument as check_sparse() does, and for a row whose square overflows.
  SparseColumns(const SparseRows<double>& supports, const char* name);

  Index size() const { return static_cast<Index>(squares_.size()); }
  Index entries() const { return static_cast<Index>(values_.size()); }
  /// |s|^2 of each support.
  const std::vector<double>& squares() const { return squares_; }

  /// The rows from `first` on, which are checked, as a query from support 0 on. Messages call row 0 of X `first_row`.
  void start(const SparseRows<double>& X, Index first, Index rows, Index first_row, SparseQuery& query) const;
  /// Adds <x_r, s_j> of supports first .. end - 1 to out[place_of(r, j - first)], as gram/few_rows.hpp counts. `first` is where
  /// the call before ended, and the first row of a tile.
  void add(Index first, Index end, SparseQuery& query, double* out) const;

 private:
  void take_columns(const SparseRows<double>& supports, std::vector<std::size_t> place);
  void take_buckets(const SparseRows<double>& supports, std::vector<std::size_t> place);
  std::size_t bucket_of(Index column) const { return static_cast<std::size_t>(column >> shift_); }
  /// Among columns_, or -1.
  Index find(Index column) const;

  // Columns of neighbouring numbers share a bucket, of which there are no more than columns: a table of all columns would be as
  // large as a file of a stranger says that rows are.
  int shift_ = 0;
  std::vector<Index> bucket_start_{};  // among columns_
  std::vector<Index> columns_{};       // that have entries, ascending
  std::vector<Index> start_{};         // of their entries
  std::vector<Index> places_{};        // place_of(0, support)
  std::vector<double> values_{};
  std::vector<double> squares_{};
};

}  // namespace gramian
