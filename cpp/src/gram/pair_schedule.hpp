// SPDX-License-Identifier: BSD-3-Clause
// Sums over all unordered pairs of tiles, in parallel, in an order that the number of threads does not change.
#pragma once

#include <algorithm>
#include <vector>

#include "gram/block_vectors.hpp"
#include "gram/tiles.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {

/// Pieces that the triangle of pairs is cut into while the sums are small enough to have one set for each.
constexpr Index pair_pieces = 16;
constexpr Index most_numbers_in_pieces = Index(1) << 22;  // 32 MiB

/// The triangle in contiguous pieces, each with sums of its own, which are added in their order: one barrier in all.
template <class Visit>
void sum_by_pieces(double seconds_per_pair, BlockSums& sums, Visit visit) {
  const Index tiles = sums.tiles(), pairs = tiles * (tiles + 1) / 2, pieces = std::min(pair_pieces, pairs);
  const auto begin = [&](Index piece) { return pairs * piece / pieces; };
  std::vector<BlockSums> parts(static_cast<std::size_t>(pieces));
  parallel_for(pieces, seconds_per_pair * static_cast<double>(pairs) / static_cast<double>(pieces), [&](Index piece, int worker) {
    BlockSums& part = parts[static_cast<std::size_t>(piece)];
    part = sums.head(pair_in_triangle(begin(piece + 1) - 1).row + 1);
    for (Index index = begin(piece); index < begin(piece + 1); ++index) {
      const TilePair pair = pair_in_triangle(index);
      visit(pair.row, pair.col, worker, part);
    }
  });
  for (BlockSums& part : parts) {
    double* total = sums.tile(0);
    const double* add = part.tile(0);
    for (Index i = 0; i < part.tiles() * part.tile_numbers(); ++i) total[i] += add[i];
  }
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

}  // namespace gramian
