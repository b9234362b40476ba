// SPDX-License-Identifier: BSD-3-Clause
// Products that are too large to be kept: each tile is seen once, while it is in the cache.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/panel_tiles.hpp"

namespace gramian {

/// numbers[i * stride + j] = (A B)(row + i, col + j) for i < rows, j < cols.
struct ProductTile {
  static constexpr Index stride = product_tile;
  const double* numbers;
  Index row, col, rows, cols;
  Index group;
};

/// B, k x n, in panels for any number of products. 8 k n bytes; it need not outlive the constructor.
class GRAMIAN_API ProductTiles {
 public:
  explicit ProductTiles(MatrixView<const double> B);

  /// Into how many groups columns are cut for so many rows of A: a few rows would leave threads without work.
  Index groups(Index rows) const;

  /// f(tile) for all tiles of A B. Those of the same rows and the same group come one after the other, from left to right, and
  /// groups are in the order of their columns; all others come in any order, from any thread.
  void visit(MatrixView<const double> A, Index groups, FunctionRef<void(const ProductTile&)> f) const;

 private:
  Index steps_;
  Index cols_;
  Panels panels_;
};

}  // namespace gramian
