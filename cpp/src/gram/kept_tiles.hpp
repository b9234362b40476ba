// SPDX-License-Identifier: BSD-3-Clause
// The tiles of a lower triangle, in memory from one sweep to the next.
#pragma once

#include "gram/tile_block.hpp"
#include "gram/workspace.hpp"
#include "gramian/gram/plan.hpp"
#include "isa/table.hpp"

namespace gramian {

/// Rows of a tile are isa::tile_size numbers apart, whatever its width: tiles that are narrower stand side by side.
class KeptTiles {
 public:
  KeptTiles(Index tiles, Index step)
      : step_(step), numbers_(count_pieces(tiles * (tiles + 1) / 2, isa::tile_size / step) * step * isa::tile_size) {}

  /// Bytes for n points.
  static double bytes(Index n) {
    const Index step = tile_step(n);
    const double tiles = static_cast<double>(count_pieces(n, step));
    return tiles * (tiles + 1.0) / 2.0 * static_cast<double>(step * step) * static_cast<double>(sizeof(double));
  }

  GramTiles view() const { return {numbers_.data(), step_, isa::tile_size}; }
  double* tile(Index row_tile, Index col_tile) { return const_cast<double*>(view().tile(row_tile, col_tile)); }

 private:
  Index step_;
  Buffer<double> numbers_;
};

}  // namespace gramian
