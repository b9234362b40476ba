// SPDX-License-Identifier: BSD-3-Clause
// Points that need not be in memory: they are read a block at a time.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"

namespace gramian {

/// Points in rows that are read when they are needed: a memory map, a file, a table of a database. An operation reads each row
/// once, in ascending order and on the thread that called it, in blocks of a size that depends on the shapes only.
class GRAMIAN_API RowSource {
 public:
  virtual ~RowSource();

  /// The number of rows.
  virtual Index size() const = 0;
  /// The number of features of a row.
  virtual Index dimension() const = 0;
  /// Writes the rows first .. first + out.rows() - 1 to `out`, which has dimension() columns and is row-major. An exception that
  /// it throws ends the operation and reaches the caller.
  virtual void read(Index first, MatrixView<double> out) const = 0;
};

/// Points in memory as a source. The points are a view: their memory must outlive the source. Sparse rows are expanded as they
/// are read.
class GRAMIAN_API StoredRows final : public RowSource {
 public:
  explicit StoredRows(const Points& points) : points_(points) {}

  Index size() const override { return points_.size(); }
  Index dimension() const override { return points_.dimension(); }
  /// Throws std::invalid_argument for rows that are not there, or a column index out of range.
  void read(Index first, MatrixView<double> out) const override;

 private:
  Points points_;
};

}  // namespace gramian
