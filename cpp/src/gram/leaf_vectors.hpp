// SPDX-License-Identifier: BSD-3-Clause
// The points of a leaf as vectors that its weights are applied to, and where the sums stand that come out.
#pragma once

#include "base/pieces.hpp"
#include "gram/block_vectors.hpp"
#include "gram/leaf_tiles.hpp"

namespace gramian {

/// [x], [1 x], [x'] or [x' 1] in the frame of a leaf; directions have no origin.
enum class InFrame { points, one_and_points, directions, directions_and_one };

template <class T>
void in_frame(MatrixView<const T> X, const Frame& frame, InFrame what, Buffer<T>& out) {
  const bool one_first = what == InFrame::one_and_points, one_last = what == InFrame::directions_and_one;
  const bool directions = one_last || what == InFrame::directions;
  const Index columns = X.cols() + (one_first || one_last ? 1 : 0);
  reserve(out, checked_product(X.rows(), columns));
  fill_rows(X.rows(), columns, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      T* to = out.data() + i * columns;
      if (one_first) *to++ = T(1);
      for (Index k = 0; k < X.cols(); ++k, ++to)
        *to = directions ? static_cast<T>(static_cast<double>(X(i, k)) * frame.scale[static_cast<std::size_t>(k)])
                         : frame(X(i, k), k);
      if (one_last) *to = T(1);
    }
  });
}

/// What the weights of a leaf are applied to, X or Xdot: with a column of ones for distances, whose sums multiply the point
/// itself. A product over coordinates has no such vectors.
template <class T>
void assign_leaf(const LeafTiles<T>& leaf, MatrixView<const T> X, Index rows, bool directions, Index step, Buffer<T>& numbers,
                 PairVectors<T>& vectors) {
  if (leaf.form() == LeafForm::coordinate) return;
  const bool ones = leaf.form() == LeafForm::distance;
  // Sparse points and inner products have no coordinates here.
  const MatrixView<const T> points = X.rows() == rows ? X : MatrixView<const T>(nullptr, rows, 0);
  const InFrame what = directions ? (ones ? InFrame::directions_and_one : InFrame::directions)
                                  : (ones ? InFrame::one_and_points : InFrame::points);
  in_frame(points, leaf.frame(), what, numbers);
  vectors.assign({numbers.data(), rows, points.cols() + (ones ? 1 : 0)}, step);
}

/// For every tile of points each leaf has d + 1 vectors of sums, or d + 2: what multiplies the point itself, the coordinates of
/// the gradient, and along directions what multiplies the direction.
struct LeafSums {
  Index leaves = 0;
  Index dimension = 0;
  Index step = 0;
  bool along = false;

  Index leaf_numbers() const { return (dimension + (along ? 2 : 1)) * step; }
  Index numbers() const { return leaves * leaf_numbers(); }
  Index own(Index leaf) const { return leaf * leaf_numbers(); }
  Index coordinates(Index leaf) const { return own(leaf) + step; }
  Index own_dot(Index leaf) const { return coordinates(leaf) + dimension * step; }
};

}  // namespace gramian
