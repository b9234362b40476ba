// SPDX-License-Identifier: BSD-3-Clause
// Sums over all unordered pairs of tiles, in parallel, in an order that the number of threads does not change.
#pragma once

#include <algorithm>
#include <vector>

#include "base/pieces.hpp"
#include "gram/block_vectors.hpp"
#include "gram/tile_block.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {

/// Pieces that the pairs are cut into while the sums are small enough to have one set for each.
constexpr Index most_pieces = 16;
constexpr Index most_numbers_in_pieces = Index(1) << 22;  // 32 MiB

inline bool fits_pieces(Index numbers) { return numbers <= most_numbers_in_pieces / most_pieces; }

/// As few as the work is worth, as each brings sums that have to be cleared and added; a power of 2, to be shared evenly. Never a
/// matter of threads.
inline Index count_pair_pieces(Index pairs, double seconds_per_pair) {
  constexpr double seconds_per_piece = 50e-6;
  const double wanted = seconds_per_pair * static_cast<double>(pairs) / seconds_per_piece;
  Index pieces = 1;
  while (pieces < most_pieces && 2 * pieces <= pairs && static_cast<double>(2 * pieces) <= wanted) pieces *= 2;
  return pieces;
}

/// Pieces of so many pairs that each have sums of their own, `numbers` of all tiles; 0 if there is one set of sums for all.
inline Index count_own_sums(Index pairs, Index numbers, double seconds_per_pair) {
  if (pairs == 0 || !fits_pieces(numbers)) return 0;
  const Index pieces = count_pair_pieces(pairs, seconds_per_pair);
  return pieces == 1 ? 0 : pieces;
}

/// Sums of pieces in memory that the caller holds: count_own_sums() times those of all tiles.
struct PieceSums {
  double* memory = nullptr;
  std::vector<BlockSums> parts{};
};

/// sums = the pieces' sums, added in their order.
inline void add_up(Index pieces, const std::vector<BlockSums>& parts, BlockSums& sums) {
  constexpr Index tiles_per_task = 4;
  const Index numbers = sums.tile_numbers(), tiles = sums.tiles();
  const double seconds = 0.3e-9 * static_cast<double>(tiles_per_task * pieces * numbers);
  parallel_for(count_pieces(tiles, tiles_per_task), seconds, [&](Index task, int) {
    for (Index t = task * tiles_per_task; t < std::min(tiles, (task + 1) * tiles_per_task); ++t) {
      double* total = sums.tile(t);
      for (Index piece = 0; piece < pieces; ++piece) {
        const BlockSums& part = parts[static_cast<std::size_t>(piece)];
        if (t >= part.tiles()) continue;
        const double* add = part.tile(t);
        for (Index i = 0; i < numbers; ++i) total[i] += add[i];
      }
    }
  });
}

/// run(first pair, last pair, worker, sums) for every piece, each with sums of its own for tiles(last pair) tiles: one barrier.
template <class Tiles, class Run>
void sum_by_pieces(Index pairs, double seconds_per_pair, BlockSums& sums, PieceSums& own, Tiles tiles, Run run) {
  const Index pieces = count_pair_pieces(pairs, seconds_per_pair);
  if (pieces == 1) return parallel_for(1, 0.0, [&](Index, int worker) { run(0, pairs, worker, sums); });
  const Index size = sums.tiles() * sums.tile_numbers();
  if (own.parts.size() < static_cast<std::size_t>(pieces)) own.parts.resize(static_cast<std::size_t>(pieces));
  const double seconds = seconds_per_pair * static_cast<double>(pairs) / static_cast<double>(pieces);
  parallel_for(pieces, seconds, [&](Index piece, int worker) {
    BlockSums& part = own.parts[static_cast<std::size_t>(piece)];
    const Index first = pairs * piece / pieces, last = pairs * (piece + 1) / pieces;
    part.clear(tiles(last), sums.tile_numbers(), own.memory + piece * size);
    run(first, last, worker, part);
  });
  add_up(pieces, own.parts, sums);
}

/// The triangle in contiguous pieces.
template <class Visit>
void sum_triangle_by_pieces(double seconds_per_pair, BlockSums& sums, PieceSums& parts, Visit visit) {
  const Index pairs = sums.tiles() * (sums.tiles() + 1) / 2;
  if (pairs == 0) return;
  const auto tiles = [](Index last) { return pair_in_triangle(last - 1).row + 1; };
  sum_by_pieces(pairs, seconds_per_pair, sums, parts, tiles, [&](Index first, Index last, int worker, BlockSums& part) {
    TilePair pair = pair_in_triangle(first);
    for (Index index = first; index < last; ++index) {
      visit(pair.row, pair.col, worker, part);
      pair = pair.col == pair.row ? TilePair{pair.row + 1, 0} : TilePair{pair.row, pair.col + 1};
    }
  });
}

/// One set of sums for all: tiles are grouped into blocks, and pairs of blocks into the rounds of a tournament. No block plays
/// twice in a round, so visits that run at the same time share no tile, and each tile meets the others in a fixed order.
template <class Visit>
void sum_by_tournament(double seconds_per_pair, BlockSums& sums, Visit visit) {
  constexpr Index most_blocks = 64;  // bounds the rounds, and so the barriers; 32 pairs of blocks keep 32 threads busy
  const Index tiles = sums.tiles(), size = count_pieces(tiles, most_blocks), blocks = count_pieces(tiles, size);
  const auto end = [&](Index block) { return std::min(tiles, (block + 1) * size); };
  const double seconds_per_task = seconds_per_pair * static_cast<double>(size * size);

  parallel_for(blocks, seconds_per_task / 2.0, [&](Index block, int worker) {
    for (Index i = block * size; i < end(block); ++i) {
      for (Index j = block * size; j <= i; ++j) visit(i, j, worker, sums);
    }
  });
  const Index players = blocks + blocks % 2;  // with an odd number one block sits out each round
  for (Index round = 0; round + 1 < players; ++round) {
    parallel_for(players / 2, seconds_per_task, [&](Index k, int worker) {
      const Index one = k == 0 ? players - 1 : (round + k) % (players - 1);
      const Index other = (round + players - 1 - k) % (players - 1);
      const Index row = std::max(one, other), col = std::min(one, other);
      if (row >= blocks) return;
      for (Index i = row * size; i < end(row); ++i) {
        for (Index j = col * size; j < end(col); ++j) visit(i, j, worker, sums);
      }
    });
  }
}

/// Calls visit(row_tile, col_tile, worker, sums) once for every pair row_tile >= col_tile; it adds to the tiles row_tile and
/// col_tile of the sums it is given. Afterwards `sums`, which must come as zeros, holds everything.
template <class Visit>
void sum_over_pairs(double seconds_per_pair, BlockSums& sums, PieceSums& parts, Visit visit) {
  fits_pieces(sums.tiles() * sums.tile_numbers()) ? sum_triangle_by_pieces(seconds_per_pair, sums, parts, visit)
                                                  : sum_by_tournament(seconds_per_pair, sums, visit);
}

/// The same for every row tile with every column tile of two sets; `sums` has the row tiles and then the column tiles.
template <class Visit>
void sum_over_grid(Index row_tiles, Index col_tiles, double seconds_per_pair, BlockSums& sums, PieceSums& parts, Visit visit) {
  const Index pairs = row_tiles * col_tiles;
  if (pairs == 0) return;
  if (fits_pieces(sums.tiles() * sums.tile_numbers())) {
    const auto all = [&](Index) { return sums.tiles(); };
    return sum_by_pieces(pairs, seconds_per_pair, sums, parts, all, [&](Index first, Index last, int worker, BlockSums& part) {
      for (Index index = first; index < last; ++index) visit(index / col_tiles, index % col_tiles, worker, part);
    });
  }
  // Rounds of a Latin square: in each, every block of rows meets another block of columns.
  constexpr Index most_blocks = 64;
  const Index size = count_pieces(std::max(row_tiles, col_tiles), most_blocks);
  const Index down = count_pieces(row_tiles, size), across = count_pieces(col_tiles, size), rounds = std::max(down, across);
  for (Index round = 0; round < rounds; ++round) {
    parallel_for(std::min(down, across), seconds_per_pair * static_cast<double>(size * size), [&](Index k, int worker) {
      const Index row = down <= across ? k : (k + round) % down, col = down <= across ? (k + round) % across : k;
      for (Index i = row * size; i < std::min(row_tiles, (row + 1) * size); ++i) {
        for (Index j = col * size; j < std::min(col_tiles, (col + 1) * size); ++j) visit(i, j, worker, sums);
      }
    });
  }
}

}  // namespace gramian
