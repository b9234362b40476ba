// SPDX-License-Identifier: BSD-3-Clause
#include "gram/reverse_tiles.hpp"

#include <algorithm>
#include <type_traits>

#include "gram/accumulate.hpp"

namespace gramian {

template <class T>
ReverseTiles<T>::ReverseTiles(const KernelTiles<T>& tiles, Index step, MatrixView<T> inner_bar)
    : tiles_(tiles), step_(step), inner_bar_(inner_bar) {}

template <class T>
void ReverseTiles<T>::take_points() {
  have_points_ = true;
  const PairSource<T>& source = tiles_.source();
  const auto count = static_cast<std::size_t>(tiles_.leaf_count());
  x_.resize(count);
  if (!source.same()) y_.resize(count);
  for (std::size_t l = 0; l < count; ++l) {
    const LeafTiles<T>& leaf = tiles_.leaf(static_cast<Index>(l));
    const Index columns = applied_vectors(leaf, dimension());
    if (columns == 0) continue;
    const auto assign = [&](LeafVectors<T>& to, MatrixView<const T> points, Index rows) {
      in_frame(points, rows, leaf.frame(), columns, false, numbers_);
      to.assign(numbers_, rows, columns, step_);
    };
    assign(x_[l], source.x(), source.rows());
    if (!source.same()) assign(y_[l], source.y(), source.cols());
  }
}

template <class T>
void ReverseTiles<T>::add_leaf(const KernelTree& part, const Place& place, T* Kbar, T* scratch) const {
  const LeafTiles<T>& leaf = tiles_.leaf(part.leaf);
  if (leaf.form() == LeafForm::coordinate) {
    leaf.values(place.block, scratch);
    tiles_.ops().multiply(tiles_.whole_rows(place.block.height), tiles_.whole_cols(place.block.width), Kbar, scratch);
    return add_coordinates(part, place, Kbar);
  }
  leaf.raw(place.block, scratch);
  add_pairs(part, place, Kbar, scratch);
}

template <class T>
void ReverseTiles<T>::add_pairs(const KernelTree& part, const Place& place, T* Kbar, T* raw) const {
  const LeafTiles<T>& leaf = tiles_.leaf(part.leaf);
  isa::PairJob<T> job = leaf.pair_job(place.block);
  T *row_norms = place.tile_sums, *col_norms = place.tile_sums + step_;
  std::fill_n(place.tile_sums, 2 * step_, T(0));
  job.raw = raw;
  job.weights = Kbar;
  job.row_sums = row_norms;
  job.col_sums = col_norms;
  if (place.parameters != nullptr) job.parameter_sums = place.parameters + part.first_parameter;
  (place.parameters != nullptr ? leaf.kernel().chain : leaf.kernel().value_and_chain)(job);
  if (!inner_bar_.empty()) write_inner(leaf, place, Kbar);
  if (!have_points_) return;
  if (leaf.form() == LeafForm::inner) {
    add_to_leaf(col_norms, dimension() * step_, step_, leaf_sums(*place.sums, place.col_tile, part.leaf));
    if (!place.diagonal) add_to_leaf(row_norms, dimension() * step_, step_, leaf_sums(*place.sums, place.row_tile, part.leaf));
  }
  add_weights(part.leaf, place, Kbar);
}

template <class T>
void ReverseTiles<T>::add_to_leaf(const T* from, Index offset, Index count, double* sums) const {
  for (Index i = 0; i < count; ++i) sums[offset + i] += static_cast<double>(from[i]);
}

template <class T>
void ReverseTiles<T>::add_weights(Index leaf, const Place& place, const T* weights) const {
  const auto l = static_cast<std::size_t>(leaf);
  const LeafVectors<T>& rows = x_[l];
  const LeafVectors<T>& cols = tiles_.source().same() ? x_[l] : y_[l];
  const isa::ApplyBothJob<T> job{weights,
                                 tiles_.whole_rows(place.block.height),
                                 tiles_.whole_cols(place.block.width),
                                 applied_vectors(tiles_.leaf(leaf), dimension()),
                                 step_,
                                 rows.from_row(place.block.row),
                                 cols.by_column(place.block.col / step_),
                                 nullptr,
                                 nullptr};
  accumulate_pair(tiles_.ops(), job, place.diagonal, place.tile_sums,
                  leaf_sums(*place.sums, place.row_tile, leaf) + place.block.row % step_,
                  leaf_sums(*place.sums, place.col_tile, leaf));
}

template <class T>
void ReverseTiles<T>::add_coordinates(const KernelTree& part, const Place& place, const T* weights) const {
  const LeafTiles<T>& leaf = tiles_.leaf(part.leaf);
  const Index numbers = dimension() * step_;
  const bool parameters = place.parameters != nullptr;
  double scale_sum = 0.0;
  isa::CoordinateJob<T> job{leaf.tile_job(place.block, nullptr), weights, place.tile_sums,
                            place.tile_sums + numbers,           step_,   parameters ? &scale_sum : nullptr};
  // On the diagonal the sums of rows are those of columns.
  if (place.diagonal && !parameters) job.row_sums = nullptr;
  if constexpr (std::is_same_v<T, double>) {
    if (!parameters) {  // the sums of two tiles, or of columns alone: added where they stand
      job.col_sums = leaf_sums(*place.sums, place.col_tile, part.leaf);
      if (!place.diagonal) job.row_sums = leaf_sums(*place.sums, place.row_tile, part.leaf);
      return leaf.kernel().coordinate_chain(job);
    }
  }
  std::fill_n(place.tile_sums, 2 * numbers, T(0));
  leaf.kernel().coordinate_chain(job);
  // The points are scaled by gamma, if the kernel has one.
  if (parameters && !leaf.parameters().empty()) place.parameters[part.first_parameter] += scale_sum / leaf.parameters()[0];
  add_to_leaf(job.col_sums, 0, numbers, leaf_sums(*place.sums, place.col_tile, part.leaf));
  if (!place.diagonal) add_to_leaf(job.row_sums, 0, numbers, leaf_sums(*place.sums, place.row_tile, part.leaf));
}

template <class T>
void ReverseTiles<T>::write_inner(const LeafTiles<T>& leaf, const Place& place, const T* weights) const {
  // s of a distance kernel is point_scale^2 times what it would be in the caller's units; Kbar + Kbar^T counts each pair twice.
  const double unit = leaf.form() == LeafForm::distance ? leaf.point_scale() * leaf.point_scale() : 1.0;
  for (Index r = 0; r < place.block.height; ++r) {
    // Of a block on the diagonal one half is read: the result is exactly symmetric.
    for (Index c = 0; c < (place.diagonal ? r + 1 : place.block.width); ++c) {
      const Index i = place.block.row + r, j = place.block.col + c;
      const T w = static_cast<T>(0.5 * unit * static_cast<double>(weights[r * isa::tile_size + c]));
      inner_bar_(i, j) += w;
      if (i != j) inner_bar_(j, i) += w;
    }
  }
}

template <class T>
void ReverseTiles<T>::finish_inner_diagonal(const BlockSums& sums) const {
  for (Index i = 0; i < inner_bar_.rows(); ++i) {
    for (Index l = 0; l < tiles_.leaf_count(); ++l) {
      const LeafTiles<T>& leaf = tiles_.leaf(l);
      const double sum = (sums.tile(i / step_) + l * leaf_numbers())[i % step_];
      const double unit = leaf.form() == LeafForm::distance ? -0.5 * leaf.point_scale() * leaf.point_scale() : 1.0;
      inner_bar_(i, i) += static_cast<T>(unit * sum);
    }
  }
}

template <class T>
void ReverseTiles<T>::write(MatrixView<T> out, MatrixView<const T> points, const BlockSums& sums, Index first_tile,
                            double* parameters, double factor) const {
  const Index d = dimension();
  const auto write_leaf = [&](Index l, Index tile, Index first, Index last) {
    const LeafTiles<T>& leaf = tiles_.leaf(l);
    const double* leaf_sums = sums.tile(first_tile + tile) + l * leaf_numbers();
    const double* own = leaf_sums + d * step_;
    const double own_factor = leaf.form() == LeafForm::distance ? -1.0 : leaf.form() == LeafForm::inner ? 2.0 : 0.0;
    const Columns columns = leaf.columns();
    for (Index k = 0; k < d; ++k) {
      const double unit = factor * leaf.frame().scale[static_cast<std::size_t>(k)];
      double along = 0.0;
      for (Index i = first; i < last; ++i) {
        const double x = static_cast<double>(leaf.frame()(points(i, k), k));
        const double gradient = leaf_sums[k * step_ + i - first] + own_factor * own[i - first] * x;
        if (!out.empty()) out(i, k) = (l == 0 ? T(0) : out(i, k)) + static_cast<T>(gradient * unit);
        along += gradient * x;
      }
      // x / l: d/dl = -(1/l) x' d/dx'
      if (parameters != nullptr && leaf.has_length_scales() && k >= columns.first && k < columns.first + columns.count)
        parameters[tiles_.first_length_scale(l) + k - columns.first] -= factor * along / leaf.length_scale(k);
    }
  };
  const auto write_tile = [&](Index tile, Index first, Index last) {
    for (Index l = 0; l < tiles_.leaf_count(); ++l) write_leaf(l, tile, first, last);
  };
  if (parameters == nullptr) return fill_tiles(points.rows(), step_, 2 * d, write_tile);
  for (Index t = 0; t < count_pieces(points.rows(), step_); ++t)
    write_tile(t, t * step_, std::min(points.rows(), (t + 1) * step_));
}

template class ReverseTiles<double>;
template class ReverseTiles<float>;

}  // namespace gramian
