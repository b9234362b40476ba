// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sweep.hpp"

#include <type_traits>

namespace gramian {
namespace {

/// Adds what `apply` leaves for one tile to sums.
template <class T>
void accumulate(void (*apply)(const isa::ApplyJob<T>&), isa::ApplyJob<T> job, T* tile_sums, double* sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.sums = sums;
    apply(job);
  } else {
    const Index count = job.vectors * job.stride;
    std::fill_n(tile_sums, count, T(0));
    job.sums = tile_sums;
    apply(job);
    for (Index i = 0; i < count; ++i) sums[i] += static_cast<double>(tile_sums[i]);
  }
}

/// The same for the rows of the tile and for its columns. In float32 tile_sums has room for both.
template <class T>
void accumulate_both(const isa::Ops<T>& ops, isa::ApplyBothJob<T> job, T* tile_sums, double* row_sums, double* col_sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.row_sums = row_sums;
    job.col_sums = col_sums;
    ops.apply_to_both(job);
  } else {
    const Index count = job.vectors * job.stride;
    std::fill_n(tile_sums, 2 * count, T(0));
    job.row_sums = tile_sums;
    job.col_sums = tile_sums + count;
    ops.apply_to_both(job);
    for (Index i = 0; i < count; ++i) row_sums[i] += static_cast<double>(tile_sums[i]);
    for (Index i = 0; i < count; ++i) col_sums[i] += static_cast<double>(tile_sums[count + i]);
  }
}

/// What a tile that stands for itself and for its mirror image adds: on the diagonal, where the two are one, for its columns
/// alone.
template <class T>
void accumulate_pair(const isa::Ops<T>& ops, const isa::ApplyBothJob<T>& job, bool diagonal, T* tile_sums, double* row_sums,
                     double* col_sums) {
  if (!diagonal) return accumulate_both(ops, job, tile_sums, row_sums, col_sums);
  isa::ApplyJob<T> columns{};
  columns.tile = job.tile;
  columns.rows = job.rows;
  columns.cols = job.cols;
  columns.vectors = job.vectors;
  columns.stride = job.stride;
  columns.V = job.row_V;
  accumulate(ops.apply_to_columns, columns, tile_sums, col_sums);
}

}  // namespace

template <class T>
void Sweep<T>::bind(const KernelTiles<T>& tiles, KeptTiles* kept) {
  tiles_ = &tiles;
  kept_ = kept;
  step_ = tile_step(std::max(tiles.rows(), tiles.cols()));
}

template <class T>
void Sweep<T>::keep() {
  if (!KeptTurn(kept_).reads()) evaluate(0, [](const TileVisit&, const T*) {});
}

template <class T>
void Sweep<T>::keep_anew(Index columns) {
  columns_ = columns;
  costs_values_ = false;
  kept_->forget();
  keep();
}

template <class T>
void Sweep<T>::product(MatrixView<const T> V, MatrixView<T> out) {
  if (out.empty()) return;
  vectors_.assign(V, step_);
  const Index numbers = vectors_.count() * step_;
  sum({seconds_per_pair(vectors_.count()), numbers, 1 + tiles_->tree().depth(), this->room_for(vectors_.count()), true},
      [&](const TileVisit& visit) { apply(visit, visit.block, values(visit), vectors_, vectors_, 0); });
  sums_.write(out, step_);
}

template <class T>
void Sweep<T>::product_both(MatrixView<const T> U, MatrixView<const T> V, MatrixView<double> of_rows,
                            MatrixView<double> of_cols) {
  PairVectors<T> rows, cols;
  rows.assign(U, step_);
  cols.assign(V, step_);
  const Index numbers = cols.count() * step_;
  sum({seconds_per_pair(cols.count()), numbers, 1 + tiles_->tree().depth(), this->room_for(cols.count()), true},
      [&](const TileVisit& visit) { apply(visit, visit.block, values(visit), rows, cols, 0); });
  sums_.write(of_rows, step_);
  sums_.write(of_cols, step_, row_tiles() * numbers);
}

/// Blocks of the other side are shared out, and each sums over all tiles it meets, in order.
template <class T>
template <bool over_rows>
void Sweep<T>::product_over(MatrixView<const T> V, MatrixView<T> out) {
  const auto apply = over_rows ? tiles_->ops().apply_to_columns : tiles_->ops().apply_to_rows;
  const Index n = out.rows(), m = V.rows(), vectors = V.cols();
  step_ = tile_step(m);
  if (!over_rows) require_finite_vectors(V);
  const std::conditional_t<over_rows, RowVectors<T>, ColumnVectors<T>> given(V, step_);
  const Index blocks = count_pieces(n, step_), numbers = checked_product(vectors, step_);
  const double entries = static_cast<double>(std::min(step_, n)) * static_cast<double>(m);
  const double seconds = entries * (tiles_->seconds_per_entry() + 0.03e-9 * static_cast<double>(vectors));
  sums_.clear(blocks, numbers,
              take_room(1 + tiles_->tree().depth(), numbers, seconds * static_cast<double>(blocks), blocks * numbers));
  parallel_for(blocks, seconds, [&](Index block, int worker) {
    const Index first = block * step_, count = std::min(step_, n - first);
    T* tile = scratch(worker, 0);
    for (Index j = 0; j < count_pieces(m, step_); ++j) {
      if (worker == 0) poll_stop();
      const Index summed = j * step_, height = std::min(step_, m - summed);
      const TileBlock at = over_rows ? TileBlock{summed, height, first, count} : TileBlock{first, count, summed, height};
      tiles_->evaluate(at, tile, scratch(worker, 1));
      isa::ApplyJob<T> job{};
      job.tile = tile;
      job.rows = tiles_->whole_rows(at.height);
      job.cols = tiles_->whole_cols(at.width);
      job.vectors = vectors;
      job.stride = step_;
      job.V = given.tile(j);
      accumulate(apply, job, extra(worker), sums_.tile(block));
    }
  });
  sums_.write(out, step_);
}

template <class T>
void Sweep<T>::apply(const TileVisit& visit, const TileBlock& block, const T* tile, const PairVectors<T>& rows,
                     const PairVectors<T>& cols, Index offset) {
  isa::ApplyBothJob<T> job{};
  job.tile = tile;
  job.rows = tiles_->whole_rows(block.height);
  job.cols = tiles_->whole_cols(block.width);
  job.vectors = rows.count();
  job.stride = step_;
  job.row_V = rows.from_row(block.row);
  job.col_V = cols.by_column(block.col / step_);
  accumulate_pair(tiles_->ops(), job, visit.diagonal, extra(visit.worker),
                  visit.sums->tile(visit.row_tile) + offset + block.row % step_, visit.sums->tile(visit.col_tile) + offset);
}

template <class T>
double Sweep<T>::seconds_per_pair(Index vectors) const {
  return static_cast<double>(step_ * step_) *
         ((costs_values_ ? tiles_->seconds_per_entry() : 0.0) + 0.03e-9 * static_cast<double>(vectors));
}

template <class T>
double* Sweep<T>::take_room(Index scratch_tiles, Index extra_numbers, double seconds, Index sums) {
  constexpr Index line = 64;  // parts are multiples of so many numbers, which are whole cache lines
  scratch_tiles_ = scratch_tiles;
  worker_numbers_ = scratch_tiles * tile_numbers + count_pieces(extra_numbers, line) * line;
  const Index scratch_bytes = checked_product(max_workers(seconds) * worker_numbers_, sizeof(T));
  reserve(room_, scratch_bytes + checked_product(sums, sizeof(double)));
  scratch_ = static_cast<T*>(static_cast<void*>(room_.data()));
  return static_cast<double*>(static_cast<void*>(room_.data() + scratch_bytes));
}

template class Sweep<double>;
template class Sweep<float>;
template void Sweep<double>::product_over<true>(MatrixView<const double>, MatrixView<double>);
template void Sweep<double>::product_over<false>(MatrixView<const double>, MatrixView<double>);
template void Sweep<float>::product_over<true>(MatrixView<const float>, MatrixView<float>);
template void Sweep<float>::product_over<false>(MatrixView<const float>, MatrixView<float>);

}  // namespace gramian
