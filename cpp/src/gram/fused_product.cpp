// SPDX-License-Identifier: BSD-3-Clause
#include "gram/fused_product.hpp"

#include <algorithm>
#include <type_traits>

#include "base/view_ops.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

using isa::tile_size;

constexpr Index block_step = isa::quarter_tile;

/// Adds the product of a tile to sums in float64.
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

template <class T>
ColumnVectors<T> columns_of(MatrixView<const double> V) {
  if constexpr (std::is_same_v<T, double>) {
    return ColumnVectors<T>(V, tile_size);
  } else {
    Buffer<T> numbers(V.rows() * V.cols());
    const MatrixView<T> narrow(numbers.data(), V.rows(), V.cols());
    for (Index i = 0; i < V.rows(); ++i) {
      for (Index c = 0; c < V.cols(); ++c) narrow(i, c) = static_cast<T>(V(i, c));
    }
    return ColumnVectors<T>(narrow, tile_size);
  }
}

}  // namespace

/// As many rows as leave their values with all centres in the second-level cache.
template <class T>
Index FusedProduct<T>::block_rows_for(Index centres) {
  constexpr Index bytes = 768 << 10;
  const Index rows = bytes / (std::max<Index>(1, round_up(centres, tile_size)) * static_cast<Index>(sizeof(T)));
  return std::clamp(rows / block_step * block_step, block_step, tile_size);
}

/// Whole blocks; so few that a chunk stays small, and that a few rows are shared out to all pieces.
template <class T>
Index FusedProduct<T>::rows_of_piece(Index dimension, Index rows) const {
  constexpr Index numbers = Index(1) << 20, fewest = 96, most = 1024;
  const Index wanted = std::clamp(numbers / std::max<Index>(1, dimension) / pieces_, fewest, most);
  return round_up(std::min(wanted, std::max<Index>(1, count_pieces(rows, pieces_))), block_rows_);
}

template <class T>
FusedProduct<T>::FusedProduct(const Kernel& kernel, MatrixView<const T> C, MatrixView<const double> V, Index rows)
    : tiles_(kernel, C),
      vectors_(V.cols()),
      tile_sums_(checked_product(V.cols(), tile_size)),
      block_rows_(block_rows_for(C.rows())),
      // Of many sums there are fewer copies.
      pieces_(std::clamp<Index>((Index(1) << 23) / std::max<Index>(1, tiles_.tiles() * tile_sums_), 4, 16)),
      piece_rows_(rows_of_piece(C.cols(), rows)),
      V_(columns_of<T>(V)),
      rooms_(at(max_workers())),
      sums_(checked_product(pieces_, tiles_.tiles() * tile_sums_)) {
  std::fill_n(sums_.data(), sums_.size(), 0.0);
}

template <class T>
void FusedProduct<T>::add(MatrixView<const T> X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row) {
  const double per_value = tiles_.seconds_per_value() + 0.06e-9 * static_cast<double>(vectors_);
  const double seconds = per_value * static_cast<double>(piece_rows_) * static_cast<double>(tiles_.size());
  parallel_for(count_pieces(X.rows(), piece_rows_), seconds, [&](Index piece, int worker) {
    const Index end = std::min(X.rows(), (piece + 1) * piece_rows_);
    for (Index first = piece * piece_rows_; first < end; first += block_rows_) {
      if (worker == 0) poll_stop();
      const Index rows = std::min(block_rows_, end - first);
      add_block(rows_of(X, first, rows), weights.empty() ? weights : rows_of(weights, first, rows),
                Y.empty() ? Y : rows_of(Y, first, rows), first_row + first, rooms_[at(worker)], sums_of(piece));
    }
  });
}

template <class T>
void FusedProduct<T>::add_block(MatrixView<const T> X, MatrixView<const double> weights, MatrixView<const double> Y,
                                Index first_row, Room& room, double* sums) const {
  reserve(room.values, checked_product(tiles_.tiles(), block_rows_ * tile_size));
  reserve(room.scratch, tiles_.scratch_tiles() * tile_numbers);
  reserve(room.tile_sums, std::is_same_v<T, double> ? 0 : tile_sums_);
  reserve(room.residual, checked_product(block_rows_, vectors_));
  reserve(room.row_sums, tile_sums_);
  tiles_.pack(X, first_row, room.points);
  multiply(X.rows(), room);
  residual_of(X.rows(), weights, Y, room);
  isa::ApplyJob<T> job{};
  job.rows = tiles_.whole_rows(X.rows());
  job.vectors = vectors_;
  job.stride = tile_size;
  job.V = room.residual.data();
  for (Index t = 0; t < tiles_.tiles(); ++t) {
    job.tile = room.values.data() + t * block_rows_ * tile_size;
    job.cols = tiles_.whole_cols(t);
    accumulate(tiles_.ops().apply_to_columns, job, room.tile_sums.data(), sums + t * tile_sums_);
  }
}

/// The values of a block, and their products with V.
template <class T>
void FusedProduct<T>::multiply(Index rows, Room& room) const {
  std::fill_n(room.row_sums.data(), tile_sums_, 0.0);
  isa::ApplyJob<T> job{};
  job.rows = tiles_.whole_rows(rows);
  job.vectors = vectors_;
  job.stride = tile_size;
  for (Index t = 0; t < tiles_.tiles(); ++t) {
    T* const values = room.values.data() + t * block_rows_ * tile_size;
    tiles_.evaluate(room.points, rows, t, values, room.scratch.data());
    job.tile = values;
    job.cols = tiles_.whole_cols(t);
    job.V = V_.tile(t);
    accumulate(tiles_.ops().apply_to_rows, job, room.tile_sums.data(), room.row_sums.data());
  }
}

/// Zero for the rows that fill the last panel.
template <class T>
void FusedProduct<T>::residual_of(Index rows, MatrixView<const double> weights, MatrixView<const double> Y, Room& room) const {
  T* to = room.residual.data();
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < vectors_; ++c, ++to) {
      const double value = room.row_sums[c * tile_size + i], difference = Y.empty() ? value : value - Y(i, c);
      *to = static_cast<T>(weights.empty() ? difference : weights(i, 0) * difference);
    }
  }
  std::fill(to, room.residual.data() + tiles_.whole_rows(rows) * vectors_, T(0));
}

template <class T>
void FusedProduct<T>::write(MatrixView<double> out) const {
  for_rows(out.rows(), out.cols() * pieces_, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index c = 0; c < out.cols(); ++c) {
        const double* sum = sums_.data() + i / tile_size * tile_sums_ + c * tile_size + i % tile_size;
        double total = 0.0;
        for (Index p = 0; p < pieces_; ++p) total += sum[p * tiles_.tiles() * tile_sums_];
        out(i, c) = total;
      }
    }
  });
}

template class FusedProduct<double>;
template class FusedProduct<float>;

}  // namespace gramian
