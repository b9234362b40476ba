// SPDX-License-Identifier: BSD-3-Clause
// Points as the tiles want them: centred, scaled, in panels, with half their squared norms.
#pragma once

#include <vector>

#include "base/workspace.hpp"
#include "gramian/base/view.hpp"
#include "isa/table.hpp"

namespace gramian {

/// Where the packed points have their origin, and in which unit each feature is taken.
struct Frame {
  std::vector<double> centre;
  std::vector<double> scale;

  template <class T>
  T operator()(T x, Index feature) const {
    return static_cast<T>((static_cast<double>(x) - centre[static_cast<std::size_t>(feature)]) *
                          scale[static_cast<std::size_t>(feature)]);
  }
};

/// The mean of the rows. Distances do not depend on the origin, but their rounding errors do. Takes
/// memory that is there already.
template <class T>
void mean_of_rows(MatrixView<const T> X, std::vector<double>& mean);

/// Packed points. Panels are padded with points of zeros.
template <class T>
class Packed {
 public:
  /// Throws std::invalid_argument naming `name` and the row if a coordinate is not finite or its square overflows; the first row
  /// is called `first_row`.
  void assign(MatrixView<const T> X, Index panel, const Frame& frame, const char* name, Index first_row = 0);

  /// The points of A beside those of B, as they are.
  void assign(MatrixView<const T> A, MatrixView<const T> B, Index panel, const char* name);

  /// The packed points from `first` (a multiple of the panel) on.
  isa::PackedPoints<T> from(Index first) const { return {panels_.data() + first * dimension_, half_.data() + first}; }

 private:
  /// write(first point, points, first of a panel's numbers, squares) packs points and adds their squared norms to zeros.
  template <class Write, class Refuse>
  void pack(Index rows, Index dimension, Index panel, Write write, Refuse refuse_one);

  Index dimension_ = 0;
  Buffer<T> panels_;
  Buffer<T> half_;
};

}  // namespace gramian
