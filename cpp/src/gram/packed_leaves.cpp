// SPDX-License-Identifier: BSD-3-Clause
#include "gram/packed_leaves.hpp"

#include <algorithm>
#include <cmath>

#include "gram/leaf_tiles.hpp"

namespace gramian {

template <class T>
PackedLeaves<T>::PackedLeaves(const Kernel& kernel, MatrixView<const T> points, Index panel, const char* name,
                              const ImagePlan* images)
    : ops_(isa::ops<T>()),
      size_(points.rows()),
      dimension_(points.cols()),
      may_overflow_(!std::isfinite(static_cast<T>(kernel.supremum()))) {
  std::vector<double> mean;
  mean_of_rows(points, mean);
  KernelCounts counts;
  tree_ = number_leaves(kernel.node(), counts, [&](const Kernel::Node& node, Index image, Index) {
    const Columns columns = images ? images->images()[static_cast<std::size_t>(image)].columns : Columns{0, dimension_};
    leaves_.push_back(
        {&ops_.kernels[node.id], node.parameters, frame_of(node, leaf_traits(node), dimension_, columns, mean), {}});
    leaves_.back().points.assign(points, panel, leaves_.back().frame, name);
  });
}

template <class T>
bool PackedLeaves<T>::has_point_rows() const {
  return std::all_of(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return leaf.kernel->point_row != nullptr; });
}

template <class T>
void PackedLeaves<T>::pack(MatrixView<const T> X, Index panel, Index first_row, std::vector<Packed<T>>& packed) const {
  if (packed.size() < leaves_.size()) packed.resize(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) packed[i].assign(X, panel, leaves_[i].frame, "X", first_row);
}

template class PackedLeaves<double>;
template class PackedLeaves<float>;

}  // namespace gramian
