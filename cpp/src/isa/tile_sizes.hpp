// SPDX-License-Identifier: BSD-3-Clause
// The sides of tiles and panels, each with its reason: whoever cuts a matrix into tiles takes its size from here.
#pragma once

#include <cstdint>

namespace gramian::isa {

/// Rows of a panel of a matrix: a multiple of the height and of the width of every build's register block, so that one copy
/// serves as either factor of a product.
constexpr std::int64_t panel_rows = 24;

/// Rows and columns of a tile, of Gram matrices and of factorizations alike, as the latter read the tiles of the former. It is a
/// multiple of every panel width. In float64 a tile is 288 KiB, about half of a second-level cache of 512 KiB: its vectors and
/// panels have room beside it.
constexpr std::int64_t tile_size = 192;

/// Smaller tiles for smaller problems: there are more of them to share, a tile with its vectors stays in a smaller cache, and
/// less is computed twice on the diagonal.
constexpr std::int64_t half_tile = tile_size / 2;
constexpr std::int64_t quarter_tile = tile_size / 4;

/// Up to these sizes a matrix is cut into halves or quarters of a tile. With 3000 rows a triangle has 136 whole tiles; with 400
/// it has 15 halves, and 45 quarters. Factorizations do not go below halves: a quarter is two panels, which is too few for a
/// product.
constexpr std::int64_t largest_in_halves = 3000;
constexpr std::int64_t largest_in_quarters = 400;

/// Summands of a product that are taken at a time: a panel of them is 36 KiB, and stays in the first-level cache.
constexpr std::int64_t panel_depth = 192;

static_assert(quarter_tile % panel_rows == 0);

}  // namespace gramian::isa
