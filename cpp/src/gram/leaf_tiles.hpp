// SPDX-License-Identifier: BSD-3-Clause
// The tiles of one kernel of the registry on two sets of points.
#pragma once

#include <vector>

#include "gram/packing.hpp"
#include "gram/pair_source.hpp"
#include "gram/point_images.hpp"
#include "isa/dispatch.hpp"
#include "kernels/node.hpp"

namespace gramian {

constexpr const char* kernel_needs_coordinates =
    "this kernel needs the coordinates of dense points: inner products or sparse rows are not enough";

/// How a leaf wants its points, which have so many columns, packed. `centre` is what distances are taken from. Throws
/// std::invalid_argument if its length scales are not one for each of the columns that it sees.
Frame frame_of(const Kernel::Node& leaf, const LeafTraits& traits, Index dimension, Columns columns,
               const std::vector<double>& centre);

template <class T>
class LeafTiles {
 public:
  /// `centre` is what distances are taken from: the mean of the fixed points, never of a batch of queries, so that one query
  /// gives the same bits as many. Throws std::invalid_argument if the kernel needs coordinates that the source does not have.
  /// It sees the source's `columns` alone.
  LeafTiles(const Kernel::Node& leaf, const PairSource<T>& source, Columns columns, const std::vector<double>& centre);

  /// The points of a dense source have changed: packs them anew.
  void update(const std::vector<double>& centre);

  LeafForm form() const { return traits_.form; }
  bool of_differences() const { return traits_.of_differences(); }
  const std::vector<double>& parameters() const { return parameters_; }
  /// That of one of its columns.
  double length_scale(Index column) const { return length_scales_[static_cast<std::size_t>(column - columns_.first)]; }
  bool has_length_scales() const { return !length_scales_.empty(); }
  Columns columns() const { return columns_; }
  const Frame& frame() const { return frame_; }
  double point_scale() const { return traits_.point_scale; }
  const isa::KernelOps<T>& kernel() const { return kernel_; }

  /// The tile's kernel values, or its s of kernels/profile.hpp. Whole panels are written: beyond the points stand finite numbers.
  void values(const TileBlock& block, T* tile) const;
  void raw(const TileBlock& block, T* tile) const;

  /// What pairs of the block need beside s.
  isa::PairJob<T> pair_job(const TileBlock& block) const;
  isa::TileJob<T> tile_job(const TileBlock& block, T* out) const;

  /// k(x_i, x_i) of the first set; k(y_j, y_j) is not needed anywhere.
  void diagonal(T* out) const;

 private:
  const T* row_half(Index row) const { return source_.dense() ? row_points_.from(row).half : row_half_.data() + row; }
  const T* col_half(Index col) const { return source_.dense() ? col_points_.from(col).half : col_half_.data() + col; }
  std::vector<T> padded_halves(const std::vector<T>& squares) const;

  const isa::Ops<T>& ops_;
  const isa::KernelOps<T>& kernel_;
  LeafTraits traits_;
  std::vector<double> parameters_;
  std::vector<double> length_scales_;
  PairSource<T> source_;
  Columns columns_;
  Frame frame_;
  Packed<T> row_points_, col_points_;   // dense sources
  std::vector<T> row_half_, col_half_;  // all others
};

}  // namespace gramian
