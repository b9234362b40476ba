// SPDX-License-Identifier: BSD-3-Clause
// Normal systems of chunks of rows, added in a fixed tree.
#pragma once

#include <vector>

#include "gram/gram_block.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/linalg/landmark_basis.hpp"

namespace gramian {

/// A sum that waits for its partner. Only the lower triangle of its square is written, the rest is zero.
struct WaitingSum {
  Index level;  ///< 2^level pages; -1 for the page that is open
  NormalSystem system;
};

class NormalAccumulator {
 public:
  /// Rows after which a sum moves up in the tree.
  static constexpr Index page_rows = 98304;

  /// The centres are a view.
  NormalAccumulator(const Kernel& kernel, const Points& C, Index outputs);
  /// Of features in the place of kernel values: C has the pivots of the basis, which must outlive this.
  NormalAccumulator(const Kernel& kernel, const Points& C, Index outputs, const LandmarkBasis& basis);

  /// Rows of a full chunk.
  Index chunk_rows() const { return chunk_rows_; }
  Index size() const { return size_; }
  Index outputs() const { return outputs_; }
  const Kernel& kernel() const { return gram_.kernel(); }

  /// Adds a chunk to the page that is open. Weights of these rows, or empty; Y of these rows.
  void add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row);
  /// Moves the page that is open, if there is one, up into the tree.
  void close();
  /// Puts a sum behind the others: whole pages, or an open page with so many chunks. No page may be open.
  void push(WaitingSum sum, Index open_chunks);

  const std::vector<WaitingSum>& sums() const { return sums_; }
  Index open_chunks() const { return open_chunks_; }

  /// The sum of all, from the youngest to the oldest. `square` may be the only place of it.
  void write(MatrixView<double> square, MatrixView<double> right, std::vector<double>& y_square) const;

 private:
  NormalSystem& open_page();

  GramBlock gram_;
  const LandmarkBasis* basis_ = nullptr;
  Index size_;
  Index outputs_;
  Index chunk_rows_;
  Index open_chunks_ = 0;
  std::vector<WaitingSum> sums_;
  Room targets_;
};

/// Throws std::invalid_argument unless `weights` is empty or a column of n numbers, and Y is n x outputs or, without outputs,
/// empty.
void require_weights_and_targets(MatrixView<const double> weights, MatrixView<const double> Y, Index n, Index outputs);
/// Those of some rows, or empty. Throws std::invalid_argument naming the row if one is negative or not finite.
MatrixView<const double> some_weights(MatrixView<const double> weights, Index first, Index rows);
/// The same for targets, which are checked to be finite.
MatrixView<const double> some_targets(MatrixView<const double> Y, Index first, Index rows);

}  // namespace gramian
