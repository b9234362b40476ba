// SPDX-License-Identifier: BSD-3-Clause
// Where a tile lies, and how pairs of tiles are counted.
#pragma once

#include "isa/table.hpp"

namespace gramian {

using isa::Index;

inline Index count_pieces(Index count, Index size) { return (count + size - 1) / size; }

/// Entries [row, row + height) x [col, col + width); row and col are multiples of 48, height and width at most isa::tile_size.
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

/// Smaller tiles for smaller problems: there are more of them to share, a tile with its vectors stays in a smaller cache, and
/// less is evaluated twice on the diagonal.
inline Index tile_step(Index n) {
  constexpr Index tiny_problem = 400, small_problem = 3000;
  return n <= tiny_problem ? isa::tile_size / 4 : n <= small_problem ? isa::tile_size / 2 : isa::tile_size;
}

}  // namespace gramian
