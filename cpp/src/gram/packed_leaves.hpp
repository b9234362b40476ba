// SPDX-License-Identifier: BSD-3-Clause
// Points that stay while others come and go, packed once for each leaf of a kernel.
#pragma once

#include <vector>

#include "gram/few_rows.hpp"
#include "gram/image_plan.hpp"
#include "gram/kernel_tree.hpp"
#include "gram/packing.hpp"

namespace gramian {

/// Immutable: any number of threads may use it.
template <class T>
class PackedLeaves {
 public:
  struct Leaf {
    const isa::KernelOps<T>* kernel;
    std::vector<double> parameters;
    Frame frame;
    Packed<T> points;
  };

  /// Packs points in panels, with their mean as the origin of distances. For a kernel on images, `images` is their plan and the
  /// points have its columns; null for other kernels. Throws std::invalid_argument if a point is not finite, which it calls
  /// `name`, or length scales and features disagree in number.
  PackedLeaves(const Kernel& kernel, MatrixView<const T> points, Index panel, const char* name,
               const ImagePlan* images = nullptr);

  const isa::Ops<T>& ops() const { return ops_; }
  Index count() const { return static_cast<Index>(leaves_.size()); }
  const Leaf& operator[](Index number) const { return leaves_[static_cast<std::size_t>(number)]; }
  Index size() const { return size_; }
  Index dimension() const { return dimension_; }
  /// Whether every leaf has values of one point with many.
  bool has_point_rows() const;
  /// Blocks that evaluate() needs beside the one that it fills.
  Index scratch_blocks() const { return tree_.depth(); }
  /// A rough cost of a kernel value.
  double seconds_per_value() const {
    return 1e-9 * static_cast<double>(count()) * (0.4 + 0.02 * static_cast<double>(dimension_));
  }

  /// Other points as each leaf sees them, in memory that only grows. Throws std::invalid_argument naming X and the row, of which
  /// the first is called `first_row`.
  void pack(MatrixView<const T> X, Index panel, Index first_row, std::vector<Packed<T>>& packed) const;

  /// Fills `block` with values of the kernel; it has room for `numbers` of them. leaf_values(i, values) computes those of leaf i.
  /// Throws std::invalid_argument if one is not finite.
  template <Index numbers, class LeafValues>
  void evaluate(Index rows, Index cols, T* block, T* scratch, LeafValues leaf_values) const {
    evaluate_block<numbers>(ops_, tree_, rows, cols, may_overflow_, block, scratch, leaf_values);
  }

 private:
  const isa::Ops<T>& ops_;
  Index size_;
  Index dimension_;
  bool may_overflow_;
  std::vector<Leaf> leaves_;
  KernelTree tree_;
};

}  // namespace gramian
