// SPDX-License-Identifier: BSD-3-Clause
// Tall matrices in blocks of rows, column after column: the one layout in which the tile kernels read both factors of AᵀB and of
// AC, and add to the result, without a transposition. Sums over rows are cut into a fixed number of pieces and added in order.
#pragma once

#include <Eigen/Core>

#include "gramian/base/memory.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/view.hpp"
#include "isa/dispatch.hpp"

namespace gramian {

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// rows x cols numbers. Block t holds the rows from t * block_rows on; rows beyond the last one are zero.
class ColumnBlocks {
 public:
  static constexpr Index block_rows = isa::tile_size;

  ColumnBlocks() = default;
  ColumnBlocks(Index rows, Index cols);
  explicit ColumnBlocks(MatrixView<const double> matrix);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index blocks() const { return (rows_ + block_rows - 1) / block_rows; }
  /// Rows of block t that are rows of the matrix.
  Index height(Index t) const { return rows_ - t * block_rows < block_rows ? rows_ - t * block_rows : block_rows; }
  double* column(Index t, Index col) { return numbers_.data() + (t * padded_cols_ + col) * block_rows; }
  const double* column(Index t, Index col) const { return numbers_.data() + (t * padded_cols_ + col) * block_rows; }

  /// Columns first .. first + matrix.cols() - 1.
  void read(MatrixView<const double> matrix, Index first = 0);
  void write(MatrixView<double> matrix, Index first = 0) const;

  /// Row i times factors[i].
  void scale_rows(const double* factors);

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Index padded_cols_ = 0;
  Buffer<double> numbers_;
};

/// What the operations below do for one block, and for whoever has no use for all blocks at once: block_rows numbers a column, as
/// many columns as whole() says, all of them finite.
namespace block {

constexpr Index whole_columns = 8;  // a multiple of the lanes of every build
inline Index whole(Index cols) { return (cols + whole_columns - 1) / whole_columns * whole_columns; }

/// Rows row .. row + height - 1 of the matrix; zeros below them.
void read(MatrixView<const double> matrix, Index row, Index height, double* out);
void write(const double* from, MatrixView<double> matrix, Index row, Index height);

/// sums(g, c, j) += sum_i A(i, tile_size g + j) B(i, c): a_cols rounded up to whole blocks times b_cols numbers.
void add_cross(const double* A, Index a_cols, const double* B, Index b_cols, double* sums);
inline Index cross_size(Index a_cols, Index b_cols) {
  return checked_product((a_cols + isa::tile_size - 1) / isa::tile_size * isa::tile_size, b_cols);
}
/// result(j, c) = the sum of such sums, in order.
SmallMatrix sum_of_cross(const double* sums, Index count, Index a_cols, Index b_cols);

/// out += A C
void add_product(const double* A, const SmallMatrix& C, double* out);

/// Pieces that a sum over blocks is cut into, whatever the number of threads.
constexpr Index pieces_of_sums = 16;
double seconds(Index a_cols, Index b_cols);

}  // namespace block

/// Some neighbouring columns.
struct Columns {
  Index first;
  Index count;
};

/// A(:, a)ᵀ B(:, b)
SmallMatrix cross(const ColumnBlocks& A, Columns a, const ColumnBlocks& B, Columns b);
inline SmallMatrix cross(const ColumnBlocks& A, const ColumnBlocks& B) { return cross(A, {0, A.cols()}, B, {0, B.cols()}); }

/// B(:, b) += A(:, a) C
void add_product(const ColumnBlocks& A, Columns a, const SmallMatrix& C, ColumnBlocks& B, Columns b);

/// A(:, first ...) = A(:, a) C; the two sets of columns may overlap.
void replace_by_product(ColumnBlocks& A, Columns a, const SmallMatrix& C, Index first);

/// A new matrix A C.
ColumnBlocks product(const ColumnBlocks& A, const SmallMatrix& C);

}  // namespace gramian
