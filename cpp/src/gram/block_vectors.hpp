// SPDX-License-Identifier: BSD-3-Clause
// Blocks of vectors in the two layouts that tiles are applied with, and the sums that come out. Padded with zeros.
#pragma once

#include <algorithm>
#include <cmath>

#include "gram/tile_block.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Calls fill(first, last) for all rows in pieces: parallel, and so that it can be stopped.
template <class Fill>
void fill_rows(Index rows, Index columns, Fill fill) {
  constexpr Index rows_per_task = 1024;
  parallel_for(count_pieces(rows, rows_per_task), 1e-9 * static_cast<double>(rows_per_task * columns),
               [&](Index task, int) { fill(task * rows_per_task, std::min(rows, (task + 1) * rows_per_task)); });
}

/// Row-major copy of V: tile t starts at row t * step.
template <class T>
class RowVectors {
 public:
  /// Throws std::invalid_argument if an entry of V is not finite.
  RowVectors(MatrixView<const T> V, Index step)
      : step_(step), vectors_(V.cols()), numbers_(checked_product(count_pieces(V.rows(), step) * step, V.cols())) {
    fill_rows(count_pieces(V.rows(), step) * step, vectors_, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        for (Index c = 0; c < vectors_; ++c) {
          const T value = i < V.rows() ? V(i, c) : T(0);
          require(std::isfinite(value), "V has an entry that is not finite");
          numbers_[i * vectors_ + c] = value;
        }
      }
    });
  }
  const T* tile(Index t) const { return numbers_.data() + t * step_ * vectors_; }

 private:
  Index step_;
  Index vectors_;
  Buffer<T> numbers_;
};

/// Vector c of tile t starts at tile(t) + c * step.
template <class T>
class ColumnVectors {
 public:
  ColumnVectors(MatrixView<const T> V, Index step)
      : tile_numbers_(checked_product(V.cols(), step)), numbers_(checked_product(count_pieces(V.rows(), step), tile_numbers_)) {
    fill_rows(count_pieces(V.rows(), step) * step, V.cols(), [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        T* to = numbers_.data() + i / step * tile_numbers_ + i % step;
        for (Index c = 0; c < V.cols(); ++c) to[c * step] = i < V.rows() ? V(i, c) : T(0);
      }
    });
  }
  const T* tile(Index t) const { return numbers_.data() + t * tile_numbers_; }

 private:
  Index tile_numbers_;
  Buffer<T> numbers_;
};

/// Sums in float64, whatever the points are, laid out as ColumnVectors.
class BlockSums {
 public:
  BlockSums() = default;
  BlockSums(Index rows, Index vectors, Index step) : BlockSums(count_pieces(rows, step), checked_product(vectors, step)) {}
  BlockSums(Index tiles, Index tile_numbers)
      : tiles_(tiles), tile_numbers_(tile_numbers), numbers_(checked_product(tiles, tile_numbers)) {
    std::fill_n(numbers_.data(), numbers_.size(), 0.0);
  }

  /// Room for the first `tiles` tiles of sums like these.
  BlockSums head(Index tiles) const { return {tiles, tile_numbers_}; }

  double* tile(Index t) { return numbers_.data() + t * tile_numbers_; }
  Index tiles() const { return tiles_; }
  Index tile_numbers() const { return tile_numbers_; }

  template <class T>
  void write(MatrixView<T> out, Index step) const {
    fill_rows(out.rows(), out.cols(), [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        const double* row = numbers_.data() + i / step * tile_numbers_ + i % step;
        for (Index c = 0; c < out.cols(); ++c) out(i, c) = static_cast<T>(row[c * step]);
      }
    });
  }

 private:
  Index tiles_ = 0;
  Index tile_numbers_ = 0;
  Buffer<double> numbers_;
};

}  // namespace gramian
