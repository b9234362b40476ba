// SPDX-License-Identifier: BSD-3-Clause
// Points that are copied and grow row by row, dense or sparse, of either type.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"
#include "gramian/gram/samples.hpp"

namespace gramian {

class GrowingRows {
 public:
  /// No rows yet; they will be as these points are.
  GrowingRows(Scalar scalar, bool sparse, Index dimension) : scalar_(scalar), sparse_(sparse), dimension_(dimension) {}
  explicit GrowingRows(const Points& points) : GrowingRows(points.scalar(), points.sparse(), points.dimension()) {
    append(points);
  }

  /// Copies rows. Throws std::invalid_argument if row_start of sparse ones decreases.
  void append(const Points& points);
  void clear();

  Index size() const { return size_; }
  /// Views, valid until rows are added.
  Points points() const;
  /// A copy as float64 numbers.
  Samples samples() const;

 private:
  template <class T>
  void append_to(std::vector<T>& values, const SparseRows<T>& X);

  Scalar scalar_;
  bool sparse_;
  Index dimension_;
  Index size_ = 0;
  std::vector<double> wide_;   // of float64 points
  std::vector<float> narrow_;  // of float32 points
  std::vector<Index> row_start_{0}, columns_;
};

/// Rows with their weights and targets.
class PendingRows {
 public:
  PendingRows(const Points& like, Index outputs) : rows_(like.scalar(), like.sparse(), like.dimension()), outputs_(outputs) {}

  /// Copies rows. Without weights each one has the weight 1. Throws std::invalid_argument naming the row, of which the first is
  /// called `first_row`, if one is not finite.
  void add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row);
  /// The same for float64 samples, which become as the other rows are.
  void add_samples(const Samples& samples, MatrixView<const double> weights, MatrixView<const double> Y);
  void clear();

  Index size() const { return rows_.size(); }
  Points points() const { return rows_.points(); }
  Samples samples() const { return rows_.samples(); }
  MatrixView<const double> weights() const { return {weights_.data(), size(), 1}; }
  MatrixView<const double> Y() const { return {Y_.data(), size(), outputs_}; }

 private:
  GrowingRows rows_;
  Index outputs_;
  std::vector<double> weights_, Y_;
};

}  // namespace gramian
