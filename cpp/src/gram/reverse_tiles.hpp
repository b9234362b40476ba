// SPDX-License-Identifier: BSD-3-Clause
// From the gradient in the entries of a tile to that in the points: what every reverse sweep does with its tiles.
#pragma once

#include <vector>

#include "gram/kernel_tiles.hpp"
#include "gram/leaf_vectors.hpp"

namespace gramian {

/// A block, whose it is, and where its sums go.
template <class T>
struct ReversePlace {
  TileBlock block;
  Index row_tile;  // of the sums
  Index col_tile;
  bool diagonal;  // the same points on both sides: everything is there twice, and once is enough
  T* tile_sums;   // scratch_numbers()
  BlockSums* sums;
  double* parameters;  // null if nobody asked for them
};

/// For every tile of points and every leaf there are d + 1 vectors of sums: those of the points' gradient, and one of what
/// multiplies the point itself.
template <class T>
class ReverseTiles {
 public:
  using Place = ReversePlace<T>;

  /// `tiles` must outlive this; `inner_bar` may be empty.
  ReverseTiles(const KernelTiles<T>& tiles, Index step, MatrixView<T> inner_bar);

  /// Where the points are now. Without this there are the parameters' gradients alone.
  void take_points();

  Index numbers() const { return tiles_.leaf_count() * leaf_numbers(); }  ///< of the sums of a tile of points
  Index scratch_numbers() const { return 2 * leaf_numbers(); }

  /// What a leaf adds, from Kbar of the leaf; both tiles are used up.
  void add_leaf(const KernelTree& part, const Place& place, T* Kbar, T* scratch) const;
  /// The same for a kernel on pairs: raw holds s, and holds the kernel's values afterwards if there are no parameters.
  void add_pairs(const KernelTree& part, const Place& place, T* Kbar, T* raw) const;
  /// The same for a product over coordinates, from Kbar o K.
  void add_coordinates(const KernelTree& part, const Place& place, const T* weights) const;
  /// The same from Kbar o dk/ds; the block may be some rows of a tile.
  void add_weights(Index leaf, const Place& place, const T* weights) const;

  /// out = `factor` times the gradient in points whose sums begin at first_tile; may be empty. Adds that in the length scales to
  /// parameters, if that is not null.
  void write(MatrixView<T> out, MatrixView<const T> points, const BlockSums& sums, Index first_tile, double* parameters,
             double factor = 1.0) const;

  /// What flows through the squared norms into the diagonal of inner_bar.
  void finish_inner_diagonal(const BlockSums& sums) const;

 private:
  Index dimension() const { return tiles_.source().dense() ? tiles_.source().dimension() : 0; }
  Index leaf_numbers() const { return (dimension() + 1) * step_; }
  double* leaf_sums(BlockSums& sums, Index tile, Index leaf) const { return sums.tile(tile) + leaf * leaf_numbers(); }
  void add_to_leaf(const T* from, Index offset, Index count, double* sums) const;
  void write_inner(const LeafTiles<T>& leaf, const Place& place, const T* weights) const;

  const KernelTiles<T>& tiles_;
  Index step_;
  MatrixView<T> inner_bar_;
  bool have_points_ = false;
  std::vector<LeafVectors<T>> x_, y_;  // y_ is empty for one set
  Buffer<T> numbers_;
};

}  // namespace gramian
