// SPDX-License-Identifier: BSD-3-Clause
#include "gram/centre_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "gram/few_rows.hpp"
#include "gram/finite.hpp"
#include "gram/tile_algebra.hpp"
#include "gramian/base/error.hpp"

namespace gramian {

template <class T>
CentreTiles<T>::CentreTiles(const Kernel& kernel, MatrixView<const T> C)
    : ops_(isa::ops<T>()),
      size_(C.rows()),
      dimension_(C.cols()),
      may_overflow_(!std::isfinite(static_cast<T>(kernel.supremum()))) {
  std::vector<double> mean;
  mean_of_rows(C, mean);
  tree_ = number_leaves(kernel.node(), C, mean);
}

template <class T>
KernelTree CentreTiles<T>::number_leaves(const Kernel::Node& node, MatrixView<const T> C, const std::vector<double>& mean) {
  KernelTree tree{node.kind};
  tree.factor = node.factor;
  if (node.kind == NodeKind::leaf) {
    tree.leaf = static_cast<Index>(leaves_.size());
    leaves_.push_back({&ops_.kernels[node.id],
                       node.parameters,
                       frame_of(node, leaf_traits(node), dimension_, Columns{0, dimension_}, mean),
                       {}});
    leaves_.back().centres.assign(C, ops_.col_panel, leaves_.back().frame, "C");
  }
  for (const Kernel& child : node.children) tree.children.push_back(number_leaves(child.node(), C, mean));
  return tree;
}

template <class T>
void CentreTiles<T>::pack(MatrixView<const T> X, Index first_row, PackedRows& rows) const {
  if (rows.size() < leaves_.size()) rows.resize(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) rows[i].assign(X, ops_.row_panel, leaves_[i].frame, "X", first_row);
}

template <class T>
void CentreTiles<T>::evaluate(const PackedRows& rows, Index count, Index tile, T* out, T* scratch) const {
  isa::TileJob<T> job{};
  job.dimension = dimension_;
  job.row_panels = count_pieces(count, ops_.row_panel);
  job.col_panels = count_pieces(width(tile), ops_.col_panel);
  const auto leaf_values = [&](Index i, T* values) {
    const Leaf& leaf = leaves_[at(i)];
    job.rows = rows[at(i)].from(0);
    job.cols = leaf.centres.from(tile * isa::tile_size);
    job.parameters = leaf.parameters.data();
    job.out = values;
    leaf.kernel->tile(job);
  };
  evaluate_part(BlockValues<T, decltype(leaf_values), tile_numbers>(ops_, whole_rows(count), whole_cols(tile), leaf_values),
                tree_, out, scratch);
  if (may_overflow_) require(ops_.all_finite(whole_rows(count), whole_cols(tile), out), overflow_message);
}

template class CentreTiles<double>;
template class CentreTiles<float>;

}  // namespace gramian
