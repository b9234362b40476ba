// SPDX-License-Identifier: BSD-3-Clause
#include "gram/kernel_tree.hpp"

#include <algorithm>

namespace gramian {

Index KernelTree::depth(Index unit, Index of_leaf) const {
  Index most = children.empty() ? of_leaf : 0;
  for (std::size_t i = 0; i < children.size(); ++i) most = std::max(most, children[i].depth(unit, of_leaf) + (i == 0 ? 0 : unit));
  return most;
}

Index KernelTree::backprop_depth(Index unit, Index of_leaf, Index of_visit) const {
  if (kind == NodeKind::leaf) return of_visit;
  const Index to_evaluate = kind == NodeKind::product ? 2 * unit : unit, to_descend = kind == NodeKind::multiple ? 0 : unit;
  Index most = 0;
  for (const KernelTree& child : children) {
    most = std::max({most, to_evaluate + child.depth(unit, of_leaf), to_descend + child.backprop_depth(unit, of_leaf, of_visit)});
  }
  return most;
}

}  // namespace gramian
