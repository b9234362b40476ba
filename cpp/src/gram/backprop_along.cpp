// SPDX-License-Identifier: BSD-3-Clause
#include "gram/backprop_along.hpp"

#include "gramian/base/error.hpp"

namespace gramian {
namespace {

constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

}  // namespace

Index along_depth(const KernelTree& part) {
  Index most = part.kind == NodeKind::leaf ? 3 : 0;
  for (std::size_t i = 0; i < part.children.size(); ++i) most = std::max(most, along_depth(part.children[i]) + (i == 0 ? 0 : 2));
  return most;
}

Index backprop_along_depth(const KernelTree& part, Index leaf_tiles) {
  if (part.kind == NodeKind::leaf) return leaf_tiles;
  if (part.kind == NodeKind::multiple) return backprop_along_depth(part.children[0], leaf_tiles);
  Index most = 0;
  for (const KernelTree& child : part.children) {
    most = std::max({most, 4 + along_depth(child), 2 + backprop_along_depth(child, leaf_tiles)});
  }
  return most;
}

MovingTiles::MovingTiles(const KernelTiles<double>& kernel_tiles, MatrixView<const double> Xdot, MatrixView<const double> Ydot)
    : tiles(kernel_tiles) {
  require(tiles.images() == nullptr, no_directions_of_images);
  for (Index l = 0; l < tiles.leaf_count(); ++l) directions.emplace_back(tiles.leaf(l), tiles.source(), Xdot, Ydot);
}

void MovingTiles::evaluate(const KernelTree& part, const TileBlock& block, double* value, double* rate, double* scratch) const {
  const isa::Ops<double>& ops = tiles.ops();
  const Index rows = tiles.whole_rows(block.height), cols = tiles.whole_cols(block.width);
  if (part.kind == NodeKind::leaf) {
    tiles.leaf(part.leaf).values(block, value);
    return directions[static_cast<std::size_t>(part.leaf)].rate(block, value, rate, scratch);
  }
  evaluate(part.children[0], block, value, rate, scratch);
  if (part.kind == NodeKind::multiple) {
    ops.scale(rows, cols, value, part.factor);
    return ops.scale(rows, cols, rate, part.factor);
  }
  double *other = scratch, *other_rate = scratch + tile_numbers;
  evaluate(part.children[1], block, other, other_rate, scratch + 2 * tile_numbers);
  if (part.kind == NodeKind::product) {
    // (a b)' = a' b + a b'
    ops.multiply(rows, cols, rate, other);
    ops.multiply(rows, cols, other_rate, value);
    ops.multiply(rows, cols, value, other);
  } else {
    ops.add(rows, cols, value, other);
  }
  ops.add(rows, cols, rate, other_rate);
}

}  // namespace gramian
