// SPDX-License-Identifier: BSD-3-Clause
// Sums, products and multiples of kernels on one tile, and the chain rule through them. What is computed with is a matter of the
// algebra: values here, values with their derivatives along directions in leaf_directions.hpp.
#pragma once

#include <algorithm>

#include "gram/kernel_tiles.hpp"

namespace gramian {

/// Entries of `part` into `tile`; KernelTree::depth() scratch tiles. Without the checks and the exact diagonal of
/// KernelTiles::evaluate().
template <class Algebra>
void evaluate_part(const Algebra& algebra, const KernelTree& part, typename Algebra::Number* tile,
                   typename Algebra::Number* scratch) {
  if (part.kind == NodeKind::leaf) return algebra.evaluate_leaf(part, tile, scratch);
  evaluate_part(algebra, part.children[0], tile, scratch);
  if (part.kind == NodeKind::multiple) return algebra.scale(tile, part.factor);
  for (std::size_t i = 1; i < part.children.size(); ++i) {
    evaluate_part(algebra, part.children[i], scratch, scratch + Algebra::numbers);
    part.kind == NodeKind::sum ? algebra.add(tile, scratch) : algebra.multiply(tile, scratch);
  }
}

/// Calls visit(leaf part, Kbar of that leaf, scratch) for every leaf; KernelTree::backprop_depth() scratch tiles. Kbar is used
/// up.
template <class Algebra, class Visit>
void backprop(const Algebra& algebra, const KernelTree& part, typename Algebra::Number* Kbar, typename Algebra::Number* scratch,
              const Visit& visit) {
  constexpr Index numbers = Algebra::numbers;
  if (part.kind == NodeKind::leaf) return visit(part, Kbar, scratch);
  if (part.kind == NodeKind::multiple) {
    algebra.take_factor(part, Kbar, scratch);
    algebra.scale(Kbar, part.factor);
    return backprop(algebra, part.children[0], Kbar, scratch, visit);
  }
  const auto times = [&](std::size_t child, typename Algebra::Number* to, typename Algebra::Number* free) {
    if (part.kind != NodeKind::product) return;
    evaluate_part(algebra, part.children[child], free, free + numbers);
    algebra.multiply(to, free);
  };
  algebra.copy(Kbar, scratch);
  times(1, scratch, scratch + numbers);
  backprop(algebra, part.children[0], scratch, scratch + numbers, visit);
  times(0, Kbar, scratch);
  backprop(algebra, part.children[1], Kbar, scratch, visit);
}

/// Values. With `parameters`, the chain rule adds the gradients of factors to these.
template <class T>
class TileValues {
 public:
  using Number = T;
  static constexpr Index numbers = tile_numbers;

  TileValues(const KernelTiles<T>& tiles, const TileBlock& block, double* parameters = nullptr)
      : tiles_(tiles),
        block_(block),
        rows_(tiles.whole_rows(block.height)),
        cols_(tiles.whole_cols(block.width)),
        parameters_(parameters) {}

  void evaluate_leaf(const KernelTree& part, T* tile, T*) const { tiles_.leaf(part.leaf).values(block_, tile); }
  void copy(const T* from, T* to) const {
    for (Index r = 0; r < rows_; ++r) std::copy_n(from + r * isa::tile_size, cols_, to + r * isa::tile_size);
  }
  void scale(T* a, double factor) const { tiles_.ops().scale(rows_, cols_, a, static_cast<T>(factor)); }
  void add(T* a, const T* b) const { tiles_.ops().add(rows_, cols_, a, b); }
  void multiply(T* a, const T* b) const { tiles_.ops().multiply(rows_, cols_, a, b); }
  void take_factor(const KernelTree& part, const T* Kbar, T* scratch) const {
    if (parameters_ == nullptr) return;
    evaluate_part(*this, part.children[0], scratch, scratch + numbers);
    parameters_[part.first_parameter] += tiles_.ops().dot(rows_, cols_, Kbar, scratch);
  }

 private:
  const KernelTiles<T>& tiles_;
  TileBlock block_;
  Index rows_;
  Index cols_;
  double* parameters_;
};

}  // namespace gramian
