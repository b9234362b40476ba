// SPDX-License-Identifier: BSD-3-Clause
// The lower triangle of a matrix in the panels that the hot kernels work on.
#pragma once

#include <algorithm>

#include "base/view_ops.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/view.hpp"
#include "isa/dispatch.hpp"

namespace gramian {

using isa::panel_rows;

inline const isa::DenseOps<double>& dense_ops() { return isa::choice().table->dense; }

/// panel[k * panel_rows + r] = A(r, k) for at most panel_rows rows; rows that fill up the last register block become zero.
inline void pack_panel(const isa::DenseOps<double>& ops, MatrixView<const double> A, double* panel) {
  ops.pack({const_cast<double*>(A.data()), A.row_stride(), A.col_stride(), A.rows(), A.cols(), panel});
}

inline void unpack_panel(const isa::DenseOps<double>& ops, const double* panel, MatrixView<double> A) {
  ops.unpack({A.data(), A.row_stride(), A.col_stride(), A.rows(), A.cols(), const_cast<double*>(panel)});
}

/// D A D + shift I for a symmetric A whose lower triangle is given in square tiles, those on the diagonal as a whole.
struct TiledMatrix {
  Index size;
  Index step;    ///< of a tile, a multiple of panel_rows
  Index stride;  ///< from a row of a tile to the next one
  FunctionRef<const double*(Index row_tile, Index col_tile)> tile;
  const double* scale;  ///< the diagonal of D; null: ones
  double shift;

  double operator()(Index row, Index col) const {
    const double value = tile(row / step, col / step)[row % step * stride + col % step];
    return (scale == nullptr ? value : value * scale[row] * scale[col]) + (row == col ? shift : 0.0);
  }

  /// A block that lies in one tile.
  MatrixView<const double> block(Index row, Index rows, Index col, Index cols) const {
    return {tile(row / step, col / step) + row % step * stride + col % step, rows, cols, stride, 1};
  }
};

/// Tiles of the lower triangle. The panels of a row of tiles follow each other, each with all columns up to the diagonal tile's
/// last: the factors of a product over many tiles are contiguous. Rows that fill up the last panel are those of the identity.
class GRAMIAN_API PackedLower {
 public:
  /// tile: a multiple of panel_rows.
  PackedLower(Index size, Index tile);

  Index size() const { return size_; }
  Index tile() const { return tile_; }
  Index tiles() const { return tiles_; }
  Index height(Index row_tile) const { return std::min(tile_, size_ - row_tile * tile_); }
  Index panels(Index row_tile) const { return (height(row_tile) + panel_rows - 1) / panel_rows; }
  Index rows(Index row_tile, Index panel) const { return std::min(panel_rows, height(row_tile) - panel * panel_rows); }

  /// From a panel to the next one of the same row of tiles.
  Index stride(Index row_tile) const { return (row_tile + 1) * tile_ * panel_rows; }

  /// A panel of a row of tiles, from the first column of a tile on.
  double* panel(Index row_tile, Index panel, Index col_tile = 0) {
    return numbers_.data() + tile_ * tile_ * (row_tile * (row_tile + 1) / 2) + panel * stride(row_tile) +
           col_tile * tile_ * panel_rows;
  }

  /// One tile of A, `shift` added to the diagonal.
  void load(const isa::DenseOps<double>& ops, MatrixView<const double> A, Index row_tile, Index col_tile, double shift);

  void load(const isa::DenseOps<double>& ops, const TiledMatrix& A, Index row_tile, Index col_tile);

  /// One row of tiles of a factor to L, zeros right of the diagonal.
  void store(const isa::DenseOps<double>& ops, MatrixView<double> L, Index row_tile);

 private:
  void load_diagonal(const isa::DenseOps<double>& ops, MatrixView<const double> A, Index row_tile, double shift);
  void finish_diagonal(Index row_tile, Index panel, double shift);

  Index size_;
  Index tile_;
  Index tiles_;
  Buffer<double> numbers_;
};

}  // namespace gramian
