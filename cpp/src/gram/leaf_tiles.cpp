// SPDX-License-Identifier: BSD-3-Clause
#include "gram/leaf_tiles.hpp"

#include <algorithm>
#include <string>

#include "base/pieces.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
Frame frame_of(const Kernel::Node& leaf, const LeafTraits& traits, Index dimension, Columns columns,
               const std::vector<double>& centre) {
  const auto d = static_cast<std::size_t>(dimension), first = static_cast<std::size_t>(columns.first);
  const std::vector<double>& scales = leaf.length_scales;
  require(scales.empty() || static_cast<Index>(scales.size()) == columns.count,
          "the kernel has " + std::to_string(scales.size()) + " length scales, the points have " + std::to_string(columns.count) +
              " features: they must be the same");
  // Products of large coordinates and the scale are rounded before differences are taken: kernels of differences are centred.
  Frame frame{traits.of_differences() ? centre : std::vector<double>(d, 0.0), std::vector<double>(d, 0.0)};
  std::fill_n(frame.scale.begin() + columns.first, columns.count, traits.point_scale);
  for (std::size_t k = 0; k < scales.size(); ++k) frame.scale[first + k] /= scales[k];
  return frame;
}

template <class T>
LeafTiles<T>::LeafTiles(const Kernel::Node& leaf, const PairSource<T>& source, Columns columns, const std::vector<double>& centre)
    : ops_(isa::ops<T>()),
      kernel_(ops_.kernels[leaf.id]),
      traits_(leaf_traits(leaf)),
      parameters_(leaf.parameters),
      length_scales_(leaf.length_scales),
      source_(source),
      columns_(columns) {
  if (source.dense()) {
    frame_ = frame_of(leaf, traits_, source.dimension(), columns, centre);
    update(centre);
    return;
  }
  require(traits_.form != LeafForm::coordinate && length_scales_.empty(), kernel_needs_coordinates);
  row_half_ = padded_halves(source.x_squares());
  col_half_ = padded_halves(source.y_squares());
}

template <class T>
void LeafTiles<T>::update(const std::vector<double>& centre) {
  if (traits_.of_differences()) frame_.centre = centre;
  row_points_.assign(source_.x(), ops_.row_panel, frame_, source_.x_name());
  col_points_.assign(source_.y(), ops_.col_panel, frame_, source_.y_name());
}

template <class T>
std::vector<T> LeafTiles<T>::padded_halves(const std::vector<T>& squares) const {
  const double factor = 0.5 * (traits_.form == LeafForm::distance ? traits_.point_scale * traits_.point_scale : 1.0);
  std::vector<T> halves;
  for (const T square : squares) halves.push_back(static_cast<T>(factor * static_cast<double>(square)));
  halves.resize(squares.size() + static_cast<std::size_t>(isa::tile_size), T(0));
  return halves;
}

template <class T>
isa::TileJob<T> LeafTiles<T>::tile_job(const TileBlock& block, T* out) const {
  isa::TileJob<T> job{};
  job.rows = row_points_.from(block.row);
  job.cols = col_points_.from(block.col);
  job.dimension = source_.dimension();
  job.row_panels = count_pieces(block.height, ops_.row_panel);
  job.col_panels = count_pieces(block.width, ops_.col_panel);
  job.parameters = parameters_.data();
  job.out = out;
  return job;
}

template <class T>
isa::PairJob<T> LeafTiles<T>::pair_job(const TileBlock& block) const {
  isa::PairJob<T> job{};
  job.rows = count_pieces(block.height, ops_.row_panel) * ops_.row_panel;
  job.cols = count_pieces(block.width, ops_.col_panel) * ops_.col_panel;
  job.row_half = row_half(block.row);
  job.col_half = col_half(block.col);
  job.parameters = parameters_.data();
  return job;
}

template <class T>
void LeafTiles<T>::values(const TileBlock& block, T* tile) const {
  if (source_.dense()) return kernel_.tile(tile_job(block, tile));
  raw(block, tile);
  isa::PairJob<T> job = pair_job(block);
  job.raw = tile;
  kernel_.values(job);
}

template <class T>
void LeafTiles<T>::raw(const TileBlock& block, T* tile) const {
  const bool distance = traits_.form == LeafForm::distance;
  if (source_.dense()) {
    (distance ? ops_.raw_distance : ops_.raw_inner)(tile_job(block, tile));
  } else {
    const isa::PairJob<T> job = pair_job(block);
    source_.inner(block, job.rows, job.cols, tile);
    const T scale = static_cast<T>(traits_.point_scale * traits_.point_scale);
    for (Index r = 0; distance && r < job.rows; ++r) {
      T* out = tile + r * isa::tile_size;
      for (Index c = 0; c < job.cols; ++c) out[c] = out[c] * scale - (job.row_half[r] + job.col_half[c]);
    }
  }
  if (source_.same() && block.row == block.col) {
    // What is known exactly: no distance, and |x|^2.
    for (Index i = 0; i < std::min(block.height, block.width); ++i) {
      tile[i * isa::tile_size + i] = distance ? T(0) : T(2) * row_half(block.row)[i];
    }
  }
}

template <class T>
void LeafTiles<T>::diagonal(T* out) const {
  // At no distance a kernel has one value.
  const Index count = traits_.form == LeafForm::distance ? std::min<Index>(source_.rows(), 1) : source_.rows();
  kernel_.diagonal(count, row_half(0), parameters_.data(), out);
  if (count > 0) std::fill(out + count, out + source_.rows(), out[0]);
}

template class LeafTiles<double>;
template class LeafTiles<float>;

}  // namespace gramian
