// SPDX-License-Identifier: BSD-3-Clause
// The tiles of a lower triangle, in memory from one sweep to the next.
#pragma once

#include "gram/tile_block.hpp"
#include "gram/workspace.hpp"
#include "isa/table.hpp"

namespace gramian {

/// Rows of a tile are isa::tile_size numbers apart, whatever its width: tiles that are narrower stand side by side.
class KeptTiles {
 public:
  KeptTiles(Index tiles, Index step)
      : step_(step), abreast_(isa::tile_size / step), numbers_(count_pieces(tiles * (tiles + 1) / 2, abreast_) * strip()) {}

  /// Bytes for n points.
  static double bytes(Index n, Index step) {
    const double tiles = static_cast<double>(count_pieces(n, step));
    return tiles * (tiles + 1.0) / 2.0 * static_cast<double>(step * step) * static_cast<double>(sizeof(double));
  }

  double* tile(Index row_tile, Index col_tile) {
    const Index index = row_tile * (row_tile + 1) / 2 + col_tile;
    return numbers_.data() + index / abreast_ * strip() + index % abreast_ * step_;
  }

 private:
  Index strip() const { return step_ * isa::tile_size; }

  Index step_;
  Index abreast_;
  Buffer<double> numbers_;
};

}  // namespace gramian
