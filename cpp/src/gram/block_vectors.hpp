// SPDX-License-Identifier: BSD-3-Clause
// Blocks of vectors in the two layouts that tiles are applied with, and the sums that come out. Padded with zeros.
#pragma once

#include <algorithm>
#include <cmath>

#include "gram/tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"

namespace gramian {

/// Row-major copy of V: tile t starts at row t * step.
template <class T>
class RowVectors {
 public:
  /// Throws std::invalid_argument if an entry of V is not finite.
  RowVectors(MatrixView<const T> V, Index step)
      : step_(step), vectors_(V.cols()), numbers_(checked_product(count_pieces(V.rows(), step) * step, V.cols())) {
    for (Index i = 0; i < V.rows(); ++i) {
      for (Index c = 0; c < vectors_; ++c) {
        require(std::isfinite(V(i, c)), "V has an entry that is not finite");
        numbers_[i * vectors_ + c] = V(i, c);
      }
    }
    for (Index i = V.rows() * vectors_; i < numbers_.size(); ++i) numbers_[i] = T(0);
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
    std::fill_n(numbers_.data(), numbers_.size(), T(0));
    for (Index i = 0; i < V.rows(); ++i) {
      for (Index c = 0; c < V.cols(); ++c) numbers_[i / step * tile_numbers_ + c * step + i % step] = V(i, c);
    }
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

  /// Room for the first `tiles` tiles of sums like these.
  BlockSums head(Index tiles) const { return {tiles, tile_numbers_}; }

  double* tile(Index t) { return numbers_.data() + t * tile_numbers_; }
  Index tiles() const { return tiles_; }
  Index tile_numbers() const { return tile_numbers_; }

  template <class T>
  void write(MatrixView<T> out, Index step) const {
    for (Index i = 0; i < out.rows(); ++i) {
      const double* row = numbers_.data() + i / step * tile_numbers_ + i % step;
      for (Index c = 0; c < out.cols(); ++c) out(i, c) = static_cast<T>(row[c * step]);
    }
  }

 private:
  BlockSums(Index tiles, Index tile_numbers)
      : tiles_(tiles), tile_numbers_(tile_numbers), numbers_(checked_product(tiles, tile_numbers)) {
    std::fill_n(numbers_.data(), numbers_.size(), 0.0);
  }

  Index tiles_ = 0;
  Index tile_numbers_ = 0;
  Buffer<double> numbers_;
};

}  // namespace gramian
