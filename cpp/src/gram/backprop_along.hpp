// SPDX-License-Identifier: BSD-3-Clause
// The chain rule and its derivative along directions, through sums, products and multiples of kernels, on one tile.
#pragma once

#include <algorithm>
#include <vector>

#include "gram/kernel_tiles.hpp"
#include "gram/leaf_directions.hpp"

namespace gramian {

/// A kernel, its points, and where these move.
struct MovingTiles {
  const KernelTiles<double>& tiles;
  std::vector<LeafDirections> directions;

  MovingTiles(const KernelTiles<double>& kernel_tiles, MatrixView<const double> Xdot, MatrixView<const double> Ydot);

  /// Values and rates of a part of the tree on a block; along_depth(part) scratch tiles.
  void evaluate(const KernelTree& part, const TileBlock& block, double* value, double* rate, double* scratch) const;
};

/// Scratch tiles for MovingTiles::evaluate.
Index along_depth(const KernelTree& part);
/// Scratch tiles for backprop_along, with `leaf_tiles` of them free for the visitor.
Index backprop_along_depth(const KernelTree& part, Index leaf_tiles);

/// Calls visit(leaf part, Kbar, Kbar_dot, scratch) for every leaf. Kbar and Kbar_dot are used up.
template <class Visit>
void backprop_along(const MovingTiles& moving, const KernelTree& part, const TileBlock& block, double* Kbar, double* Kbar_dot,
                    double* scratch, const Visit& visit) {
  constexpr Index tile_numbers = isa::tile_size * isa::tile_size;
  if (part.kind == NodeKind::leaf) return visit(part, Kbar, Kbar_dot, scratch);
  const isa::Ops<double>& ops = moving.tiles.ops();
  const Index rows = moving.tiles.whole_rows(block.height), cols = moving.tiles.whole_cols(block.width);
  if (part.kind == NodeKind::multiple) {
    ops.scale(rows, cols, Kbar, part.factor);
    ops.scale(rows, cols, Kbar_dot, part.factor);
    return backprop_along(moving, part.children[0], block, Kbar, Kbar_dot, scratch, visit);
  }
  for (int child = 0; child < 2; ++child) {
    double *own = scratch, *own_dot = scratch + tile_numbers, *value = own_dot + tile_numbers, *rate = value + tile_numbers;
    std::copy_n(Kbar, tile_numbers, own);
    std::copy_n(Kbar_dot, tile_numbers, own_dot);
    if (part.kind == NodeKind::product) {
      // (Kbar o K)' = Kbar' o K + Kbar o K'
      moving.evaluate(part.children[static_cast<std::size_t>(1 - child)], block, value, rate, rate + tile_numbers);
      ops.multiply(rows, cols, rate, own);
      ops.multiply(rows, cols, own, value);
      ops.multiply(rows, cols, own_dot, value);
      ops.add(rows, cols, own_dot, rate);
    }
    backprop_along(moving, part.children[static_cast<std::size_t>(child)], block, own, own_dot, value, visit);
  }
}

}  // namespace gramian
