// SPDX-License-Identifier: BSD-3-Clause
// The chain rule through sums, products and multiples of kernels, on one tile.
#pragma once

#include <algorithm>

#include "gram/kernel_tiles.hpp"

namespace gramian {

/// Scratch tiles that backprop() needs.
inline Index backprop_depth(const KernelTree& part) {
  if (part.kind == NodeKind::leaf) return 1;  // its raw tile
  Index most = 0;
  for (const KernelTree& child : part.children) {
    const Index to_evaluate = (part.kind == NodeKind::product ? 2 : 1) + child.depth();
    const Index to_descend = (part.kind == NodeKind::product ? 2 : part.kind == NodeKind::sum ? 1 : 0) + backprop_depth(child);
    most = std::max({most, to_evaluate, to_descend});
  }
  return most;
}

/// Calls visit(leaf part, Kbar of that leaf, scratch) for every leaf, and adds the gradients of factors to parameters, unless
/// that is null. Kbar is used up.
template <class T, class Visit>
void backprop(const KernelTiles<T>& tiles, const KernelTree& part, const TileBlock& block, T* Kbar, T* scratch,
              double* parameters, const Visit& visit) {
  constexpr Index tile_numbers = isa::tile_size * isa::tile_size;
  const Index rows = tiles.whole_rows(block.height), cols = tiles.whole_cols(block.width);
  const isa::Ops<T>& ops = tiles.ops();
  const auto copy = [&](T* to) {
    for (Index r = 0; r < rows; ++r) std::copy_n(Kbar + r * isa::tile_size, cols, to + r * isa::tile_size);
  };
  switch (part.kind) {
    case NodeKind::images:  // of these a tree has what is below
    case NodeKind::leaf: return visit(part, Kbar, scratch);
    case NodeKind::multiple:
      if (parameters != nullptr) {
        tiles.evaluate_part(part.children[0], block, scratch, scratch + tile_numbers);
        parameters[part.first_parameter] += ops.dot(rows, cols, Kbar, scratch);
      }
      ops.scale(rows, cols, Kbar, static_cast<T>(part.factor));
      return backprop(tiles, part.children[0], block, Kbar, scratch, parameters, visit);
    case NodeKind::sum:
      copy(scratch);
      backprop(tiles, part.children[0], block, scratch, scratch + tile_numbers, parameters, visit);
      return backprop(tiles, part.children[1], block, Kbar, scratch, parameters, visit);
    case NodeKind::product:
      copy(scratch);
      tiles.evaluate_part(part.children[1], block, scratch + tile_numbers, scratch + 2 * tile_numbers);
      ops.multiply(rows, cols, scratch, scratch + tile_numbers);
      backprop(tiles, part.children[0], block, scratch, scratch + tile_numbers, parameters, visit);
      tiles.evaluate_part(part.children[0], block, scratch, scratch + tile_numbers);
      ops.multiply(rows, cols, Kbar, scratch);
      return backprop(tiles, part.children[1], block, Kbar, scratch, parameters, visit);
  }
}

}  // namespace gramian
