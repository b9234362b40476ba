// SPDX-License-Identifier: BSD-3-Clause
// symmetric_product with its workspace, for whoever multiplies with one matrix many times.
#pragma once

#include <vector>

#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"
#include "linalg/column_blocks.hpp"

namespace gramian {

class SymmetricProduct {
 public:
  /// A is read again in each product. Throws std::invalid_argument unless it is square.
  explicit SymmetricProduct(MatrixView<const double> A);

  /// out = A V
  void operator()(MatrixView<const double> V, MatrixView<double> out);

 private:
  /// Tile rows [first, last) of the lower triangle, with sums for all tiles before `last`.
  struct Piece {
    Index first;
    Index last;
    Buffer<double> sums;
  };

  void prepare(Index vectors);
  void run(Piece& piece, int worker);
  void read_strip(Index row, Index col, double* strip) const;

  MatrixView<const double> A_;
  Index vectors_ = -1;
  std::vector<Piece> pieces_;
  ColumnBlocks by_column_;
  Buffer<double> by_row_;
  Buffer<double> strips_;
};

}  // namespace gramian
