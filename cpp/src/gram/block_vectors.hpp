// SPDX-License-Identifier: BSD-3-Clause
// Blocks of vectors in the two layouts that tiles are applied with, and the sums that come out. Padded with zeros.
#pragma once

#include <algorithm>
#include <cmath>

#include "gram/finite.hpp"
#include "base/pieces.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Calls fill(tile, first row, last row) for all tiles, as above; the last tile may have fewer than `step` rows.
template <class Fill>
void fill_tiles(Index rows, Index step, Index columns, Fill fill) {
  const Index tiles_per_task = count_pieces(rows_per_piece(columns), step);
  const double seconds = 1e-9 * static_cast<double>(tiles_per_task * step * columns);
  for_pieces(count_pieces(rows, step), tiles_per_task, seconds, [&](Index first, Index last) {
    for (Index t = first; t < last; ++t) fill(t, t * step, std::min(rows, (t + 1) * step));
  });
}

/// Throws std::invalid_argument if an entry of V is not finite; RowVectors sees that for itself.
template <class T>
void require_finite_vectors(MatrixView<const T> V) {
  fill_rows(V.rows(), V.cols(), [&](Index first, Index last) {
    T gone = T(0);  // x - x is 0 for a finite x and NaN for every other
    for (Index i = first; i < last; ++i) {
      for (Index c = 0; c < V.cols(); ++c) gone += V(i, c) - V(i, c);
    }
    require(gone == T(0), "V has an entry that is not finite");
  });
}

/// Row-major copy of V: tile t starts at row t * step.
template <class T>
class RowVectors {
 public:
  RowVectors() = default;
  RowVectors(MatrixView<const T> V, Index step) { assign(V, step); }

  /// Throws std::invalid_argument if an entry of V is not finite.
  void assign(MatrixView<const T> V, Index step) {
    vectors_ = V.cols();
    tile_numbers_ = checked_product(step, vectors_);
    reserve(numbers_, checked_product(count_pieces(V.rows(), step), tile_numbers_));
    fill_tiles(V.rows(), step, V.cols(), [&](Index tile, Index first, Index last) {
      T *const begin = numbers_.data() + tile * tile_numbers_, *to = begin;
      if (V.col_stride() == 1 && V.row_stride() == V.cols()) {
        to = std::copy_n(V.data() + first * V.cols(), (last - first) * V.cols(), to);
      } else {
        for (Index i = first; i < last; ++i) {
          for (Index c = 0; c < V.cols(); ++c, ++to) *to = V(i, c);
        }
      }
      require(what_is_not_finite(begin, to - begin) == T(0), "V has an entry that is not finite");
      std::fill(to, numbers_.data() + (tile + 1) * tile_numbers_, T(0));
    });
  }
  const T* tile(Index t) const { return numbers_.data() + t * tile_numbers_; }
  const T* from(Index row) const { return numbers_.data() + row * vectors_; }

 private:
  Index vectors_ = 0;
  Index tile_numbers_ = 0;
  Buffer<T> numbers_;
};

/// Vector c of tile t starts at tile(t) + c * step.
template <class T>
class ColumnVectors {
 public:
  ColumnVectors() = default;
  ColumnVectors(MatrixView<const T> V, Index step) { assign(V, step); }

  void assign(MatrixView<const T> V, Index step) {
    tile_numbers_ = checked_product(V.cols(), step);
    reserve(numbers_, checked_product(count_pieces(V.rows(), step), tile_numbers_));
    fill_tiles(V.rows(), step, V.cols(), [&](Index tile, Index first, Index last) {
      for (Index c = 0; c < V.cols(); ++c) {
        T* to = numbers_.data() + tile * tile_numbers_ + c * step;
        for (Index i = first; i < last; ++i) to[i - first] = V(i, c);
        std::fill(to + (last - first), to + step, T(0));
      }
    });
  }
  const T* tile(Index t) const { return numbers_.data() + t * tile_numbers_; }

 private:
  Index tile_numbers_ = 0;
  Buffer<T> numbers_;
};

/// Both layouts, for tiles that are applied to their rows and to their columns.
template <class T>
class PairVectors {
 public:
  void assign(MatrixView<const T> V, Index step) {
    count_ = V.empty() ? 0 : V.cols();
    by_row_.assign(V, step);
    by_column_.assign(V, step);
  }

  Index count() const { return count_; }
  const T* from_row(Index row) const { return by_row_.from(row); }
  const T* by_column(Index tile) const { return by_column_.tile(tile); }

 private:
  Index count_ = 0;
  RowVectors<T> by_row_;
  ColumnVectors<T> by_column_;
};

/// Sums in float64, whatever the points are, laid out as ColumnVectors.
class BlockSums {
 public:
  /// Zeros for so many tiles, in memory that somebody else holds.
  void clear(Index tiles, Index tile_numbers, double* numbers) {
    tiles_ = tiles;
    tile_numbers_ = tile_numbers;
    numbers_ = numbers;
    std::fill_n(numbers_, tiles * tile_numbers, 0.0);
  }

  double* tile(Index t) { return numbers_ + t * tile_numbers_; }
  const double* tile(Index t) const { return numbers_ + t * tile_numbers_; }
  Index tiles() const { return tiles_; }
  Index tile_numbers() const { return tile_numbers_; }

  /// The sums of the vectors that begin `offset` numbers into each tile.
  template <class T>
  void write(MatrixView<T> out, Index step, Index offset = 0) const {
    fill_tiles(out.rows(), step, out.cols(), [&](Index t, Index first, Index last) {
      for (Index c = 0; c < out.cols(); ++c) {
        const double* from = tile(t) + offset + c * step;
        for (Index i = first; i < last; ++i) out(i, c) = static_cast<T>(from[i - first]);
      }
    });
  }

 private:
  Index tiles_ = 0;
  Index tile_numbers_ = 0;
  double* numbers_ = nullptr;
};

}  // namespace gramian
