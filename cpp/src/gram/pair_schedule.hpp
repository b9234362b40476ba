// SPDX-License-Identifier: BSD-3-Clause
// Sums over all unordered pairs of tiles, in parallel, in an order that the number of threads does not change.
#pragma once

#include <algorithm>
#include <vector>

#include "gram/block_vectors.hpp"
#include "gram/tile_block.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {

/// Pieces that the triangle of pairs is cut into while the sums are small enough to have one set for each.
constexpr Index pair_pieces = 16;
constexpr Index most_numbers_in_pieces = Index(1) << 22;  // 32 MiB

/// run(piece, worker, part) for every piece, each with sums of its own, which are added in their order: one barrier in all.
template <class Run>
void add_pieces(Index pieces, double seconds, BlockSums& sums, Run run) {
  std::vector<BlockSums> parts(static_cast<std::size_t>(pieces));
  parallel_for(pieces, seconds, [&](Index piece, int worker) { run(piece, worker, parts[static_cast<std::size_t>(piece)]); });
  for (BlockSums& part : parts) {
    double* total = sums.tile(0);
    const double* add = part.tile(0);
    for (Index i = 0; i < part.tiles() * part.tile_numbers(); ++i) total[i] += add[i];
  }
}

/// The triangle in contiguous pieces.
template <class Visit>
void sum_by_pieces(double seconds_per_pair, BlockSums& sums, Visit visit) {
  const Index tiles = sums.tiles(), pairs = tiles * (tiles + 1) / 2, pieces = std::min(pair_pieces, pairs);
  const auto begin = [&](Index piece) { return pairs * piece / pieces; };
  const double seconds = seconds_per_pair * static_cast<double>(pairs) / static_cast<double>(std::max<Index>(pieces, 1));
  add_pieces(pieces, seconds, sums, [&](Index piece, int worker, BlockSums& part) {
    part = sums.head(pair_in_triangle(begin(piece + 1) - 1).row + 1);
    for (Index index = begin(piece); index < begin(piece + 1); ++index) {
      const TilePair pair = pair_in_triangle(index);
      visit(pair.row, pair.col, worker, part);
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
/// col_tile of the sums it is given. Afterwards `sums` holds everything.
template <class Visit>
void sum_over_pairs(double seconds_per_pair, BlockSums& sums, Visit visit) {
  const bool small = sums.tiles() * sums.tile_numbers() <= most_numbers_in_pieces / pair_pieces;
  small ? sum_by_pieces(seconds_per_pair, sums, visit) : sum_by_tournament(seconds_per_pair, sums, visit);
}

/// The same for every row tile with every column tile of two sets; `sums` has the row tiles and then the column tiles.
template <class Visit>
void sum_over_grid(Index row_tiles, Index col_tiles, double seconds_per_pair, BlockSums& sums, Visit visit) {
  const Index pairs = row_tiles * col_tiles;
  if (pairs == 0) return;
  if (sums.tiles() * sums.tile_numbers() <= most_numbers_in_pieces / pair_pieces) {
    const Index pieces = std::min(pair_pieces, pairs);
    const double seconds = seconds_per_pair * static_cast<double>(pairs) / static_cast<double>(pieces);
    add_pieces(pieces, seconds, sums, [&](Index piece, int worker, BlockSums& part) {
      part = sums.head(sums.tiles());
      for (Index index = pairs * piece / pieces; index < pairs * (piece + 1) / pieces; ++index) {
        visit(index / col_tiles, index % col_tiles, worker, part);
      }
    });
    return;
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
