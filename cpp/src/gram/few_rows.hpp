// SPDX-License-Identifier: BSD-3-Clause
// A few rows of kernel values side by side, for predictions: their sizes, and how a kernel's parts combine on them.
#pragma once

#include "gram/finite.hpp"
#include "gram/tile_algebra.hpp"

namespace gramian {

/// Points whose sums are formed side by side, over supports that stay in the first-level cache meanwhile.
constexpr Index few_together = 8;
constexpr Index few_numbers = few_together * isa::tile_size;
/// Where the value of row r and support j stands: the tiles of few_together rows follow each other in memory.
constexpr Index place_of(Index r, Index j) { return j / isa::tile_size * few_numbers + r * isa::tile_size + j % isa::tile_size; }

/// Values of a block, whose leaves are evaluated by leaf(number, values).
template <class T, class Leaf, Index scratch_numbers>
class BlockValues {
 public:
  using Number = T;
  static constexpr Index numbers = scratch_numbers;

  BlockValues(const isa::Ops<T>& ops, Index rows, Index cols, Leaf leaf) : ops_(ops), rows_(rows), cols_(cols), leaf_(leaf) {}

  void evaluate_leaf(const KernelTree& part, T* values, T*) const { leaf_(part.leaf, values); }
  void scale(T* a, double factor) const { ops_.scale(rows_, cols_, a, static_cast<T>(factor)); }
  void add(T* a, const T* b) const { ops_.add(rows_, cols_, a, b); }
  void multiply(T* a, const T* b) const { ops_.multiply(rows_, cols_, a, b); }

 private:
  const isa::Ops<T>& ops_;
  Index rows_;
  Index cols_;
  Leaf leaf_;
};

/// Values of a block, checked; `scratch` has a block for each level of the tree's depth. Throws std::invalid_argument if
/// `may_overflow` is set and one is not finite.
template <Index numbers, class T, class Leaf>
void evaluate_block(const isa::Ops<T>& ops, const KernelTree& tree, Index rows, Index cols, bool may_overflow, T* block,
                    T* scratch, Leaf leaf) {
  evaluate_part(BlockValues<T, Leaf, numbers>(ops, rows, cols, leaf), tree, block, scratch);
  if (may_overflow) require(ops.all_finite(rows, cols, block), overflow_message);
}

}  // namespace gramian
