// SPDX-License-Identifier: BSD-3-Clause
// A Gram matrix as something that gives its tiles: what every operation of this layer walks.
#pragma once

#include <memory>

#include "gram/packing.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "isa/dispatch.hpp"

namespace gramian {

inline Index count_pieces(Index count, Index size) { return (count + size - 1) / size; }

/// The view of a point set in its own scalar type. Throws std::invalid_argument naming `name` if that is not T.
template <class T>
MatrixView<const T> rows_of(const Points& points, const char* name);

/// Throws std::invalid_argument unless X and Y have the same number of features.
void require_same_dimension(const Points& X, const Points& Y);

/// K(rows, cols), never stored.
template <class T>
class GramTiles {
 public:
  /// K(X, X). Points are centred by their mean.
  GramTiles(const Kernel& kernel, MatrixView<const T> X);

  /// K(rows, cols), both centred by `centre`: the mean of the fixed points, never of a batch of queries, so that one query gives
  /// the same bits as many.
  GramTiles(const Kernel& kernel, MatrixView<const T> rows, const char* row_name, MatrixView<const T> cols, const char* col_name,
            const std::vector<double>& centre);

  Index rows() const { return row_count_; }
  Index cols() const { return col_count_; }

  /// Entries [row, row + height) x [col, col + width) into tile, isa::tile_size apart; row and col are multiples of 96, height
  /// and width at most isa::tile_size. Whole panels are written: what lies beyond the points are finite numbers of no meaning.
  void evaluate(Index row, Index height, Index col, Index width, T* tile) const;

  /// height and width as evaluate() rounds them up.
  Index whole_rows(Index height) const { return count_pieces(height, ops_.row_panel) * ops_.row_panel; }
  Index whole_cols(Index width) const { return count_pieces(width, ops_.col_panel) * ops_.col_panel; }

  /// A rough cost of one entry, for parallel_for.
  double seconds_per_entry() const { return 1e-9 * (0.4 + 0.02 * static_cast<double>(dimension_)); }

  const isa::Ops<T>& ops() const { return ops_; }

 private:
  const isa::Ops<T>& ops_;
  Kernel kernel_;
  Index row_count_;
  Index col_count_;
  Index dimension_;
  bool same_points_;
  Frame frame_;
  Packed<T> row_points_;
  Packed<T> col_points_;
};

/// Entries of a lower triangle of tiles, diagonal included, counted row by row.
struct TilePair {
  Index row;
  Index col;
};
TilePair pair_in_triangle(Index index);

}  // namespace gramian
