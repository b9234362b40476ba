// SPDX-License-Identifier: BSD-3-Clause
// Vectors that Gram matrices are multiplied with again and again.
#pragma once

#include <string>

#include "base/view_ops.hpp"
#include "gram/finite.hpp"
#include "isa/table.hpp"

namespace gramian {

/// Row-major and finite. Behind them are zeros: rows for the last panel of any build, and the room that isa::ApplyFewJob wants.
class PackedWeights {
 public:
  PackedWeights() = default;
  /// Throws std::invalid_argument if an entry is not finite.
  PackedWeights(MatrixView<const double> weights, const char* name)
      : rows_(weights.rows()),
        cols_(weights.cols()),
        numbers_(checked_product(round_up(rows_, isa::quarter_tile), cols_) + isa::room_behind) {
    fill_rows(rows_, cols_, [&](Index first, Index last) {
      double* const begin = numbers_.data() + first * cols_;
      double* to = begin;
      if (weights.col_stride() == 1 && weights.row_stride() == cols_) {
        to = std::copy_n(&weights(first, 0), (last - first) * cols_, to);
      } else {
        for (Index i = first; i < last; ++i) {
          for (Index c = 0; c < cols_; ++c, ++to) *to = weights(i, c);
        }
      }
      if (what_is_not_finite(begin, to - begin) != 0.0) require(false, std::string(name) + " has an entry that is not finite");
    });
    std::fill(numbers_.data() + rows_ * cols_, numbers_.data() + numbers_.size(), 0.0);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const double* from(Index row) const { return numbers_.data() + row * cols_; }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Buffer<double> numbers_;
};

/// Where finished sums go: column c to column columns[c], or where there are no columns to c.
struct SumTarget {
  MatrixView<double> out;
  bool add = false;  ///< to what is there
  const std::vector<Index>* columns = nullptr;

  void take(MatrixView<const double> sums, Index first_row) const {
    for (Index i = 0; i < sums.rows(); ++i) {
      for (Index c = 0; c < sums.cols(); ++c) {
        double& to = out(first_row + i, columns == nullptr ? c : (*columns)[at(c)]);
        to = add ? to + sums(i, c) : sums(i, c);
      }
    }
  }
};

}  // namespace gramian
