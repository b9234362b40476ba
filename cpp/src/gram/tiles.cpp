// SPDX-License-Identifier: BSD-3-Clause
#include "gram/tiles.hpp"

#include <cmath>
#include <string>

#include "gramian/base/error.hpp"
#include "kernels/node.hpp"

namespace gramian {

template <>
MatrixView<const double> rows_of<double>(const Points& points, const char* name) {
  require(points.scalar() == Scalar::float64, std::string(name) + " is float32, the result float64: they must be the same");
  return points.float64();
}

template <>
MatrixView<const float> rows_of<float>(const Points& points, const char* name) {
  require(points.scalar() == Scalar::float32, std::string(name) + " is float64, the result float32: they must be the same");
  return points.float32();
}

void require_same_dimension(const Points& X, const Points& Y) {
  require(X.dimension() == Y.dimension(), "X has " + std::to_string(X.dimension()) + " features, Y has " +
                                              std::to_string(Y.dimension()) + ": they must be the same");
}

template <class T>
GramTiles<T>::GramTiles(const Kernel& kernel, MatrixView<const T> X)
    : ops_(isa::ops<T>()),
      kernel_(kernel),
      row_count_(X.rows()),
      col_count_(X.rows()),
      dimension_(X.cols()),
      same_points_(true),
      frame_{mean_of_rows(X), point_scale(kernel)},
      row_points_(X, ops_.row_panel, frame_, "X"),
      col_points_(X, ops_.col_panel, frame_, "X") {}

template <class T>
GramTiles<T>::GramTiles(const Kernel& kernel, MatrixView<const T> rows, const char* row_name, MatrixView<const T> cols,
                        const char* col_name, const std::vector<double>& centre)
    : ops_(isa::ops<T>()),
      kernel_(kernel),
      row_count_(rows.rows()),
      col_count_(cols.rows()),
      dimension_(rows.cols()),
      same_points_(false),
      frame_{centre, point_scale(kernel)},
      row_points_(rows, ops_.row_panel, frame_, row_name),
      col_points_(cols, ops_.col_panel, frame_, col_name) {}

template <class T>
void GramTiles<T>::evaluate(Index row, Index height, Index col, Index width, T* tile) const {
  isa::TileJob<T> job;
  job.rows = row_points_.from(row);
  job.cols = col_points_.from(col);
  job.dimension = dimension_;
  job.row_panels = count_pieces(height, ops_.row_panel);
  job.col_panels = count_pieces(width, ops_.col_panel);
  job.parameters = kernel_.parameters().data();
  job.out = tile;
  ops_.tile[static_cast<int>(kernel_.node().id)](job);
  if (same_points_ && row == col) {
    // The rounding error of a distance that is known to be zero.
    const T exact = static_cast<T>(value_at_coincidence(kernel_));
    for (Index i = 0; i < std::min(height, width); ++i) tile[i * isa::tile_size + i] = exact;
  }
}

TilePair pair_in_triangle(Index index) {
  Index row = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(index) + 1.0) - 1.0) / 2.0);
  while ((row + 1) * (row + 2) / 2 <= index) ++row;
  while (row * (row + 1) / 2 > index) --row;
  return {row, index - row * (row + 1) / 2};
}

template class GramTiles<double>;
template class GramTiles<float>;

}  // namespace gramian
