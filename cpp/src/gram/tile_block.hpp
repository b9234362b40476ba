// SPDX-License-Identifier: BSD-3-Clause
// Where a tile lies, and how pairs of tiles are counted.
#pragma once

#include <algorithm>

#include "base/pieces.hpp"
#include "isa/table.hpp"

namespace gramian {

using isa::Index;

/// Entries [row, row + height) x [col, col + width); row and col are multiples of isa::quarter_tile, height and width at most
/// isa::tile_size.
struct TileBlock {
  Index row;
  Index height;
  Index col;
  Index width;
};

/// Numbers of a tile, whatever its height and width.
constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

/// Rows of a strip of a tile with this step: so many that it stays in the first-level cache together with what is made of it,
/// `arrays` of 36 KiB in all.
inline Index strip_height(Index step, Index arrays = 2) {
  constexpr Index numbers = 4608, whole_rows = 8;  // of any build's panels
  return std::max(numbers / arrays / step / whole_rows * whole_rows, whole_rows);
}

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
