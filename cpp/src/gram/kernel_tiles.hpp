// SPDX-License-Identifier: BSD-3-Clause
// A Gram matrix as something that gives its tiles: what every operation of this layer walks.
#pragma once

#include <memory>
#include <vector>

#include "base/pieces.hpp"
#include "gram/kernel_tree.hpp"
#include "gram/leaf_tiles.hpp"

namespace gramian {

template <class T>
class KernelTiles {
 public:
  /// Distances are centred by the mean of the second set, or of the first if `centre_first` is set: the one that stays when
  /// queries change.
  KernelTiles(const Kernel& kernel, const PairSource<T>& source, bool centre_first = false);

  /// The points of a dense source have changed: packs them anew.
  void update();

  /// What its maps make of the points, which is then the source; null without maps.
  PointImages<T>* images() const { return images_.get(); }

  Index rows() const { return source_.rows(); }
  Index cols() const { return source_.cols(); }
  const PairSource<T>& source() const { return source_; }
  const isa::Ops<T>& ops() const { return ops_; }
  const KernelTree& tree() const { return tree_; }
  const LeafTiles<T>& leaf(Index index) const { return leaves_[static_cast<std::size_t>(index)]; }
  Index leaf_count() const { return static_cast<Index>(leaves_.size()); }
  Index parameter_count() const { return parameter_count_; }
  /// Where the length scales of a leaf stand among all parameters.
  Index first_length_scale(Index index) const { return first_length_scale_[static_cast<std::size_t>(index)]; }

  /// Entries of the block into `tile`, isa::tile_size apart; scratch is tree().depth() tiles more, one behind the other.
  /// Throws std::invalid_argument if a kernel value is not finite.
  void evaluate(const TileBlock& block, T* tile, T* scratch) const;

  /// The checks of evaluate() and its exact diagonal, for a tile that holds values already.
  void finish(const TileBlock& block, T* tile) const;

  /// k(x_i, x_i) of the first set.
  const std::vector<T>& diagonal() const { return diagonal_; }

  Index whole_rows(Index height) const { return count_pieces(height, ops_.row_panel) * ops_.row_panel; }
  Index whole_cols(Index width) const { return count_pieces(width, ops_.col_panel) * ops_.col_panel; }

  /// A rough cost of one entry, for parallel_for.
  double seconds_per_entry() const {
    return 1e-9 * static_cast<double>(leaf_count()) * (0.4 + 0.02 * static_cast<double>(source_.dimension()));
  }

 private:
  KernelTree take_leaves(const Kernel& kernel, const std::vector<double>& centre);
  void diagonal_of(const KernelTree& part, std::vector<T>& out) const;

  const isa::Ops<T>& ops_;
  std::shared_ptr<PointImages<T>> images_;
  PairSource<T> source_;
  std::vector<LeafTiles<T>> leaves_;
  std::vector<Index> first_length_scale_;
  Index parameter_count_ = 0;
  KernelTree tree_;
  bool may_overflow_;
  bool centre_first_;
  std::vector<double> centre_{};  // of the last update()
  std::vector<T> diagonal_;
};

}  // namespace gramian
