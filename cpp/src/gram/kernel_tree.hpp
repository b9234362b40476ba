// SPDX-License-Identifier: BSD-3-Clause
// A kernel's expression as what evaluates tiles walks it.
#pragma once

#include <vector>

#include "gramian/base/view.hpp"
#include "kernels/node.hpp"

namespace gramian {

/// A kernel's expression with its leaves numbered, and where the parameters of each part stand in Kernel::parameters().
struct KernelTree {
  NodeKind kind;
  double factor = 1.0;
  Index leaf = 0;             ///< of a leaf
  Index first_parameter = 0;  ///< of a leaf or a multiple
  std::vector<KernelTree> children{};

  /// Scratch tiles that an evaluation needs beside the one it fills, of `unit` tiles each, and of_leaf for a leaf.
  Index depth(Index unit = 1, Index of_leaf = 0) const;

  /// Those that the chain rule needs beside Kbar, of_visit for the visit of a leaf.
  Index backprop_depth(Index unit = 1, Index of_leaf = 0, Index of_visit = 1) const;
};

/// What number_leaves() has counted.
struct KernelCounts {
  Index leaves = 0;
  Index parameters = 0;
  Index images = 0;
};

/// The tree of an expression. take(node, image, first parameter) gets its leaves in the order of their numbers, with the number
/// of the image of the points that a leaf sees, as ImagePlan counts them.
template <class Take>
KernelTree number_leaves(const Kernel::Node& node, KernelCounts& counts, const Take& take, Index image = 0) {
  if (node.kind == NodeKind::images) return number_leaves(node.children.front().node(), counts, take, ++counts.images);
  KernelTree tree{node.kind};
  tree.factor = node.factor;
  tree.first_parameter = counts.parameters;
  if (node.kind == NodeKind::multiple) ++counts.parameters;
  if (node.kind == NodeKind::leaf) {
    tree.leaf = counts.leaves++;
    counts.parameters += static_cast<Index>(node.parameters.size() + node.length_scales.size());
    take(node, image, tree.first_parameter);
  }
  for (const Kernel& child : node.children) tree.children.push_back(number_leaves(child.node(), counts, take, image));
  return tree;
}

}  // namespace gramian
