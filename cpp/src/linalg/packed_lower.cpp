// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/packed_lower.hpp"

#include "base/view_ops.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
PackedLower::PackedLower(Index size, Index tile)
    : size_(size),
      tile_(tile),
      tiles_((size + tile - 1) / tile),
      numbers_(checked_product(tile * tile, tiles_ * (tiles_ + 1) / 2)) {}

void PackedLower::load(const isa::DenseOps<double>& ops, MatrixView<const double> A, Index row_tile, Index col_tile,
                       double shift) {
  if (row_tile == col_tile) return load_diagonal(ops, A, row_tile, shift);
  for (Index q = 0; q < panels(row_tile); ++q) {
    pack_panel(ops, part(A, row_tile * tile_ + q * panel_rows, rows(row_tile, q), col_tile * tile_, tile_),
               panel(row_tile, q, col_tile));
  }
}

void PackedLower::load_diagonal(const isa::DenseOps<double>& ops, MatrixView<const double> A, Index row_tile, double shift) {
  for (Index q = 0; q < panels(row_tile); ++q) {
    const Index before = q * panel_rows, count = rows(row_tile, q);
    pack_panel(ops, part(A, row_tile * tile_ + before, count, row_tile * tile_, before + count), panel(row_tile, q, row_tile));
    finish_diagonal(row_tile, q, shift);
  }
}

/// Behind its rows of the matrix a panel is the identity.
void PackedLower::finish_diagonal(Index row_tile, Index q, double shift) {
  const Index before = q * panel_rows, count = rows(row_tile, q);
  double* out = panel(row_tile, q, row_tile);
  std::fill(out + (before + count) * panel_rows, out + (before + panel_rows) * panel_rows, 0.0);
  for (Index r = 0; r < panel_rows; ++r) {
    double& diagonal = out[(before + r) * panel_rows + r];
    diagonal = r < count ? diagonal + shift : 1.0;
  }
}

void PackedLower::load(const isa::DenseOps<double>& ops, const TiledMatrix& A, Index row_tile, Index col_tile) {
  const Index first = col_tile * tile_;
  for (Index q = 0; q < panels(row_tile); ++q) {
    const Index row = row_tile * tile_ + q * panel_rows, count = rows(row_tile, q);
    const Index last = row_tile == col_tile ? row + count : first + tile_;
    double* out = panel(row_tile, q, col_tile);
    for (Index col = first; col < last;) {
      const Index end = std::min(last, (col / A.step + 1) * A.step);
      // Tiles on the diagonal are symmetric: the columns of a panel lie there along rows, and need not be turned.
      const bool diagonal = row / A.step == col / A.step;
      const MatrixView<const double> block =
          diagonal ? transposed(A.block(col, end - col, row, count)) : A.block(row, count, col, end - col);
      pack_panel(ops, block, out + (col - first) * panel_rows);
      col = end;
    }
    for (Index col = first; A.scale != nullptr && col < last; ++col) {
      double* column = out + (col - first) * panel_rows;
      for (Index r = 0; r < count; ++r) column[r] *= A.scale[row + r] * A.scale[col];
    }
    if (row_tile == col_tile) finish_diagonal(row_tile, q, A.shift);
  }
}

void PackedLower::store(const isa::DenseOps<double>& ops, MatrixView<double> L, Index row_tile) {
  for (Index q = 0; q < panels(row_tile); ++q) {
    const Index row = row_tile * tile_ + q * panel_rows, count = rows(row_tile, q);
    unpack_panel(ops, panel(row_tile, q), part(L, row, count, 0, row + count));
    fill_zero(part(L, row, count, row + count, size_ - row - count));
  }
}

}  // namespace gramian
