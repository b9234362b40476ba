// SPDX-License-Identifier: BSD-3-Clause
// Kernel values of some rows of points with centres that stay while the rows change: the centres are packed once.
#pragma once

#include <algorithm>
#include <vector>

#include "base/pieces.hpp"
#include "gram/packed_leaves.hpp"

namespace gramian {

/// Immutable: any number of threads may evaluate.
template <class T>
class CentreTiles {
 public:
  /// Dense centres, and a kernel without images. Throws std::invalid_argument if a centre is not finite, or length scales and
  /// features disagree in number.
  CentreTiles(const Kernel& kernel, MatrixView<const T> C);

  Index size() const { return leaves_.size(); }
  Index tiles() const { return count_pieces(size(), isa::tile_size); }
  const isa::Ops<T>& ops() const { return leaves_.ops(); }
  Index whole_rows(Index rows) const { return count_pieces(rows, ops().row_panel) * ops().row_panel; }
  Index whole_cols(Index tile) const { return count_pieces(width(tile), ops().col_panel) * ops().col_panel; }
  /// Centres of a tile.
  Index width(Index tile) const { return std::min(isa::tile_size, size() - tile * isa::tile_size); }
  /// The number of tiles that an evaluation needs beside the one that it fills.
  Index scratch_tiles() const { return leaves_.scratch_blocks(); }
  double seconds_per_value() const { return leaves_.seconds_per_value(); }

  /// Rows as each leaf of the kernel sees them, which only grow.
  using PackedRows = std::vector<Packed<T>>;
  /// At most isa::tile_size rows. Throws std::invalid_argument naming X and the row, of which the first is called `first_row`.
  void pack(MatrixView<const T> X, Index first_row, PackedRows& rows) const { leaves_.pack(X, ops().row_panel, first_row, rows); }
  /// out[i * isa::tile_size + j] = k(x_i, c_j) for all packed rows and the centres of a tile, whole panels of both. Throws
  /// std::invalid_argument if a value is not finite.
  void evaluate(const PackedRows& rows, Index count, Index tile, T* out, T* scratch) const;

 private:
  PackedLeaves<T> leaves_;
};

}  // namespace gramian
