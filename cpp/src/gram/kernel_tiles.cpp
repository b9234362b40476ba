// SPDX-License-Identifier: BSD-3-Clause
#include "gram/kernel_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "gram/finite.hpp"
#include "gram/tile_algebra.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
std::vector<double> centre_of(const PairSource<T>& source, bool centre_first) {
  std::vector<double> mean;
  if (source.dense()) mean_of_rows(centre_first ? source.x() : source.y(), mean);
  return mean;
}

}  // namespace

template <class T>
KernelTiles<T>::KernelTiles(const Kernel& kernel, const PairSource<T>& source, bool centre_first)
    : ops_(isa::ops<T>()),
      images_(PointImages<T>::make(kernel, source)),
      source_(images_ ? images_->source() : source),
      tree_(take_leaves(kernel, centre_of(source_, centre_first))),
      may_overflow_(!std::isfinite(static_cast<T>(kernel.supremum()))),
      centre_first_(centre_first) {
  if (source.same()) diagonal_of(tree_, diagonal_);
}

template <class T>
void KernelTiles<T>::update() {
  if (images_) images_->update();
  const bool centred =
      std::any_of(leaves_.begin(), leaves_.end(), [](const LeafTiles<T>& leaf) { return leaf.of_differences(); });
  if (source_.dense() && centred) mean_of_rows(centre_first_ ? source_.x() : source_.y(), centre_);
  for (LeafTiles<T>& leaf : leaves_) leaf.update(centre_);
  if (source_.same()) diagonal_of(tree_, diagonal_);
}

template <class T>
KernelTree KernelTiles<T>::take_leaves(const Kernel& kernel, const std::vector<double>& centre) {
  KernelCounts counts;
  KernelTree tree = number_leaves(kernel.node(), counts, [&](const Kernel::Node& node, Index image, Index first_parameter) {
    first_length_scale_.push_back(first_parameter + static_cast<Index>(node.parameters.size()));
    leaves_.emplace_back(node, source_, images_ ? images_->columns(image) : Columns{0, source_.dimension()}, centre);
  });
  parameter_count_ = counts.parameters;
  return tree;
}

template <class T>
void KernelTiles<T>::evaluate(const TileBlock& block, T* tile, T* scratch) const {
  evaluate_part(TileValues<T>(*this, block), tree_, tile, scratch);
  finish(block, tile);
}

template <class T>
void KernelTiles<T>::finish(const TileBlock& block, T* tile) const {
  if (may_overflow_) {
    require(ops_.all_finite(whole_rows(block.height), whole_cols(block.width), tile), overflow_message);
  }
  if (source_.same() && block.row == block.col) {
    const Index n = std::min(block.height, block.width);
    for (Index i = 0; i < n; ++i) {
      tile[i * isa::tile_size + i] = diagonal_[static_cast<std::size_t>(block.row + i)];
      // Sparse inner products are summed in the order of one of the two rows.
      for (Index j = 0; !source_.dense() && j < i; ++j) tile[j * isa::tile_size + i] = tile[i * isa::tile_size + j];
    }
  }
}

template <class T>
void KernelTiles<T>::diagonal_of(const KernelTree& part, std::vector<T>& out) const {
  out.resize(static_cast<std::size_t>(rows()));
  if (part.kind == NodeKind::leaf) return leaf(part.leaf).diagonal(out.data());
  diagonal_of(part.children[0], out);
  for (T& value : out) value *= static_cast<T>(part.factor);
  for (std::size_t i = 1; i < part.children.size(); ++i) {
    std::vector<T> other;
    diagonal_of(part.children[i], other);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = part.kind == NodeKind::sum ? out[k] + other[k] : out[k] * other[k];
  }
}

template class KernelTiles<double>;
template class KernelTiles<float>;

}  // namespace gramian
