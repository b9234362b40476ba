// SPDX-License-Identifier: BSD-3-Clause
// The points of a leaf as blocks of vectors: what its weights are applied to.
#pragma once

#include "gram/block_vectors.hpp"
#include "gram/leaf_tiles.hpp"

namespace gramian {

/// Numbers of vectors that the weights of a leaf are applied to: the coordinates, and for distances a column of ones.
template <class T>
Index applied_vectors(const LeafTiles<T>& leaf, Index dimension) {
  if (leaf.form() == LeafForm::coordinate) return 0;
  return dimension + (leaf.form() == LeafForm::distance ? 1 : 0);
}

/// Points (or directions, which have no origin) in the frame of a leaf, beside a column of ones where it is asked for.
template <class T>
void in_frame(MatrixView<const T> X, Index rows, const Frame& frame, Index columns, bool directions, Buffer<T>& out) {
  reserve(out, checked_product(rows, columns));
  fill_rows(rows, columns, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < columns; ++k) {
        T& to = out[i * columns + k];
        if (k >= X.cols()) {
          to = T(1);
        } else {
          to = directions ? static_cast<T>(static_cast<double>(X(i, k)) * frame.scale[static_cast<std::size_t>(k)])
                          : frame(X(i, k), k);
        }
      }
    }
  });
}
template <class T>
Buffer<T> in_frame(MatrixView<const T> X, Index rows, const Frame& frame, Index columns, bool directions = false) {
  Buffer<T> out;
  in_frame(X, rows, frame, columns, directions, out);
  return out;
}

/// Both layouts of one set of points.
template <class T>
class LeafVectors {
 public:
  LeafVectors() = default;
  LeafVectors(const Buffer<T>& numbers, Index rows, Index columns, Index step) { assign(numbers, rows, columns, step); }
  void assign(const Buffer<T>& numbers, Index rows, Index columns, Index step) {
    assign(MatrixView<const T>(numbers.data(), rows, columns), step);
  }
  void assign(MatrixView<const T> numbers, Index step) {
    by_row_.assign(numbers, step);
    by_column_.assign(numbers, step);
  }

  const T* by_row(Index tile) const { return by_row_.tile(tile); }
  const T* from_row(Index row) const { return by_row_.from(row); }
  const T* by_column(Index tile) const { return by_column_.tile(tile); }

 private:
  RowVectors<T> by_row_;
  ColumnVectors<T> by_column_;
};

}  // namespace gramian
