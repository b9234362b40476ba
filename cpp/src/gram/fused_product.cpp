// SPDX-License-Identifier: BSD-3-Clause
#include "gram/fused_product.hpp"

#include <algorithm>
#include <type_traits>

#include "base/view_ops.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

using isa::tile_size;

constexpr Index block_step = isa::panel_rows;

/// After this number of rows of points or centres, that of a tile, sums of float32 are added in float64.
constexpr Index rows_of_sum = tile_size;

/// Adds the product of a tile with its rows to sums in float64, of which there are `rows` for each vector.
template <class T>
void add_to_rows(const isa::Ops<T>& ops, isa::ApplyJob<T> job, Index rows, T* tile_sums, double* sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.sums = sums;
    ops.apply_to_rows(job);
  } else {
    const Index written = std::min(round_up(rows, isa::room_behind), job.stride);
    for (Index c = 0; c < job.vectors; ++c) std::fill_n(tile_sums + c * job.stride, written, T(0));
    job.sums = tile_sums;
    ops.apply_to_rows(job);
    for (Index c = 0; c < job.vectors; ++c) {
      for (Index i = c * job.stride; i < c * job.stride + rows; ++i) sums[i] += static_cast<double>(tile_sums[i]);
    }
  }
}

/// Moves sums to float64.
template <class T>
void move_sums(Buffer<T>& from, double* to) {
  for (Index i = 0; i < from.size(); ++i) to[i] += static_cast<double>(from[i]);
  std::fill_n(from.data(), from.size(), T(0));
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
  constexpr Index bytes = 512 << 10;
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
    Room& room = rooms_[at(worker)];
    prepare(room);
    for (Index first = piece * piece_rows_; first < end; first += block_rows_) {
      if (worker == 0) poll_stop();
      const Index rows = std::min(block_rows_, end - first);
      add_block(rows_of(X, first, rows), weights.empty() ? weights : rows_of(weights, first, rows),
                Y.empty() ? Y : rows_of(Y, first, rows), first_row + first, room, sums_of(piece));
      if constexpr (std::is_same_v<T, float>) {
        const Index done = first + rows - piece * piece_rows_;
        if (done % rows_of_sum < block_rows_ || first + rows == end) move_sums(room.centre_sums, sums_of(piece));
      }
    }
  });
}

template <class T>
void FusedProduct<T>::prepare(Room& room) const {
  constexpr bool narrow = std::is_same_v<T, float>;
  // apply_to_rows() reads whole vectors of rows.
  reserve(room.values, checked_product(tiles_.tiles(), block_rows_ * tile_size) + isa::room_behind * tile_size);
  reserve(room.scratch, tiles_.scratch_tiles() * tile_numbers);
  reserve(room.row_sums, tile_sums_);
  reserve(room.tile_sums, narrow ? tile_sums_ : 0);
  reserve(room.centre_sums, narrow ? tiles_.tiles() * tile_sums_ : 0);
  reserve(room.residual, checked_product(block_rows_, vectors_));
  std::fill_n(room.centre_sums.data(), room.centre_sums.size(), T(0));
}

template <class T>
void FusedProduct<T>::add_block(MatrixView<const T> X, MatrixView<const double> weights, MatrixView<const double> Y,
                                Index first_row, Room& room, double* sums) const {
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
    if constexpr (std::is_same_v<T, double>) job.sums = sums + t * tile_sums_;
    if constexpr (std::is_same_v<T, float>) job.sums = room.centre_sums.data() + t * tile_sums_;
    tiles_.ops().apply_to_columns(job);
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
    add_to_rows(tiles_.ops(), job, rows, room.tile_sums.data(), room.row_sums.data());
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
