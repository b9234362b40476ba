// SPDX-License-Identifier: BSD-3-Clause
// Samples that a model owns.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/shared_matrix.hpp"
#include "gramian/gram/points.hpp"

namespace gramian {

/// Rows that a model owns: dense or sparse float64, or only their number, where the caller gives kernel values to them.
/// Immutable; copies share the rows, so copying costs O(1) and any number of threads may read.
class GRAMIAN_API Samples {
 public:
  /// What is known of the samples.
  enum class Form { count, dense, sparse };

  /// No samples.
  Samples() = default;
  /// Dense rows. Throws std::invalid_argument naming the row if an entry is not finite.
  Samples(SharedMatrix rows);
  /// Sparse rows in memory that `owner` keeps alive and that nobody changes from now on. The columns of a row may come in any
  /// order, and repeated ones add up. Throws std::invalid_argument if row_start is not ascending from 0 or above, a column is out
  /// of range, or an entry is not finite.
  Samples(const SparseRows<double>& rows, std::shared_ptr<const void> owner);
  /// Only their number: kernel values to them are given wherever they are needed. Throws std::invalid_argument if it is negative.
  static Samples counted(Index count);

  /// A copy of float64 points, with the checks above. Sparse rows then begin at entry 0.
  static Samples copy_of(const Points& points);

  Form form() const { return form_; }
  Index size() const { return size_; }
  /// Features of a row; 0 if only the number of rows is known.
  Index dimension() const { return form_ == Form::sparse ? sparse_.cols : dense_.cols(); }

  /// Views of the rows, valid as long as a copy of these samples lives. Throws std::invalid_argument if only their number is
  /// known.
  Points points() const;
  /// Empty unless the rows are dense.
  const SharedMatrix& dense() const { return dense_; }
  /// Empty unless the rows are sparse.
  const SparseRows<double>& sparse() const { return sparse_; }

  /// Some rows, copied in the order that is asked for. Throws std::invalid_argument for a row out of range.
  Samples some(const std::vector<Index>& rows) const;

 private:
  Form form_ = Form::count;
  Index size_ = 0;
  SharedMatrix dense_;
  SparseRows<double> sparse_;
  std::shared_ptr<const void> sparse_owner_;
};

}  // namespace gramian
