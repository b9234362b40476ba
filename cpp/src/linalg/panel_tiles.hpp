// SPDX-License-Identifier: BSD-3-Clause
// Tiles of a product of matrices in the making, from panels of its factors.
#pragma once

#include <algorithm>

#include "base/view_ops.hpp"
#include "gramian/base/memory.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {

constexpr Index product_tile = isa::tile_size;     // rows and columns of a product that a task takes
constexpr Index product_depth = isa::panel_depth;  // summands at a time

inline Index pieces(Index count, Index size) { return (count + size - 1) / size; }

/// Rows of a matrix as panels, `columns` long each.
class Panels {
 public:
  Panels(Index rows, Index columns)
      : stride_(columns * panel_rows), numbers_(checked_product(pieces(rows, panel_rows), stride_)) {}
  double* at(Index panel) { return numbers_.data() + panel * stride_; }
  const double* at(Index panel) const { return numbers_.data() + panel * stride_; }
  Index stride() const { return stride_; }
  void load(MatrixView<const double> A, Index panel) {
    const Index row = panel * panel_rows;
    pack_panel(dense_ops(), part(A, row, std::min(panel_rows, A.rows() - row), 0, A.cols()), at(panel));
  }

 private:
  Index stride_;
  Buffer<double> numbers_;
};

/// Room for one tile's sums, of this thread: taken for each product it would cost small ones more than their arithmetic.
inline double* tile_scratch() {
  thread_local Buffer<double> numbers(product_tile * product_tile);
  return numbers.data();
}

/// C(rows of one tile, columns of one tile) in the making, row-major, `product_tile` numbers apart.
struct TileSums {
  double* sums;
  Index height;
  Index width;

  void clear() const {
    // Products are added in whole register blocks.
    for (Index i = 0; i < round_up(height, panel_rows); ++i)
      std::fill_n(sums + i * product_tile, round_up(width, panel_rows), 0.0);
  }

  /// sums += left right over `steps` summands; both panels begin with the first of them.
  void add(const double* left, Index left_stride, const double* right, Index right_stride, Index steps) const {
    for (Index k = 0; k < steps; k += product_depth) {
      for (Index j = 0; j < width; j += panel_rows) {
        dense_ops().add_product({left + k * panel_rows, left_stride, right + j / panel_rows * right_stride + k * panel_rows,
                                 std::min(product_depth, steps - k), sums + j, product_tile, height,
                                 std::min(panel_rows, width - j)});
      }
    }
  }

  /// The same for a tile on the diagonal of a symmetric product, without the panels that lie above it.
  void add_lower(const double* left, Index left_stride, const double* right, Index right_stride, Index steps) const {
    for (Index k = 0; k < steps; k += product_depth) {
      for (Index j = 0; j < width; j += panel_rows) {
        dense_ops().add_product({left + j / panel_rows * left_stride + k * panel_rows, left_stride,
                                 right + j / panel_rows * right_stride + k * panel_rows, std::min(product_depth, steps - k),
                                 sums + j * product_tile + j, product_tile, height - j, std::min(panel_rows, width - j)});
      }
    }
  }

  void write(double alpha, double beta, MatrixView<double> C) const {
    for (Index i = 0; i < C.rows(); ++i) {
      const double* row = sums + i * product_tile;
      if (C.col_stride() == 1) {
        write_row(alpha, row, beta, &C(i, 0), C.cols());
        continue;
      }
      for (Index j = 0; j < C.cols(); ++j) C(i, j) = alpha * row[j] + (beta == 0.0 ? 0.0 : beta * C(i, j));
    }
  }

 private:
  /// Numbers side by side, as many at a time as the processor takes.
  static void write_row(double alpha, const double* row, double beta, double* out, Index count) {
    if (beta == 0.0) {
      for (Index j = 0; j < count; ++j) out[j] = alpha * row[j];
    } else {
      for (Index j = 0; j < count; ++j) out[j] = alpha * row[j] + beta * out[j];
    }
  }
};

}  // namespace gramian
