// SPDX-License-Identifier: BSD-3-Clause
// Where a tile lies, and how pairs of tiles are counted.
#pragma once

#include "isa/table.hpp"

namespace gramian {

using isa::Index;

inline Index count_pieces(Index count, Index size) { return (count + size - 1) / size; }

/// Entries [row, row + height) x [col, col + width); row and col are multiples of isa::quarter_tile, height and width at most
/// isa::tile_size.
struct TileBlock {
  Index row;
  Index height;
  Index col;
  Index width;
};

/// Entries of a lower triangle of tiles, diagonal included, counted row by row.
struct TilePair {
  Index row;
  Index col;
};
TilePair pair_in_triangle(Index index);

/// Of the tiles for n points.
inline Index tile_step(Index n) {
  if (n <= isa::largest_in_quarters) return isa::quarter_tile;
  return n <= isa::largest_in_halves ? isa::half_tile : isa::tile_size;
}

}  // namespace gramian
