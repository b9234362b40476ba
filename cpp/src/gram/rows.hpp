// SPDX-License-Identifier: BSD-3-Clause
// Some of the points of a sample: neighbours without a copy, others copied in the order that is asked for.
#pragma once

#include <optional>
#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/source.hpp"

namespace gramian {

/// Points first .. first + rows - 1.
Points rows_of(const Points& X, Index first, Index rows);

/// Whether both are the same float64 points in the same memory.
bool same_points(const Points& X, const Points& Y);

/// Coordinates of float64 points, sparse ones too.
Matrix dense_copy(const Points& X);

/// So few that their Gram matrix is small.
constexpr Index subsample_rows = 1000;
/// Of 0 .. size-1 at most `most`, ascending. Drawn, as an even choice may fall in step with the order of the samples.
std::vector<Index> some_rows(Index size, Index most = subsample_rows);

/// Some samples as a source of their own: a copy of them, of sparse rows or of inner products with each other as well.
class PickedRows {
 public:
  PickedRows() = default;
  PickedRows(const PointSource& from, const std::vector<Index>& rows) { take(from, rows); }
  /// All of these, which are kept here.
  explicit PickedRows(Matrix points);
  PickedRows(PickedRows&&) noexcept = default;  // what source() sees lies where it lay
  PickedRows& operator=(PickedRows&&) noexcept = default;

  /// Others, in the same memory.
  void take(const PointSource& from, const std::vector<Index>& rows);

  Index size() const { return source_ ? source_->size() : 0; }
  const PointSource& source() const { return *source_; }
  const Points& points() const { return source_->points(); }

 private:
  void take_sparse(const SparseRows<double>& X, const std::vector<Index>& rows);

  Matrix numbers_;  // coordinates, or inner products
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
  std::optional<PointSource> source_;
};

/// Samples with supports, two parts of one source: what k(x_i, s_j) is computed from.
class PickedPairs {
 public:
  /// `samples` may be empty: all of them.
  PickedPairs(const PointSource& source, const std::vector<Index>& samples, const std::vector<Index>& supports);

  bool inner() const { return all_.inner(); }
  const Points& samples() const { return samples_ ? samples_->points() : all_.points(); }  ///< unless inner()
  const Points& supports() const { return supports_->points(); }                           ///< unless inner()
  InnerProducts<double> products() const;                                                  ///< only if inner()

  void product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const;     ///< K V
  void transposed(const Kernel& kernel, MatrixView<const double> U, MatrixView<double> out) const;  ///< Kᵀ U
  void full(const Kernel& kernel, MatrixView<double> K) const;

 private:
  PointSource all_;
  std::optional<PickedRows> samples_, supports_;     // of points
  Matrix inner_, sample_squares_, support_squares_;  // of inner products
};

}  // namespace gramian
