// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/column_blocks.hpp"

#include <algorithm>
#include <vector>

#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr Index block_rows = ColumnBlocks::block_rows;
constexpr double seconds_per_number = 1e-9;
constexpr double seconds_per_multiply = 0.03e-9;

}  // namespace

namespace block {

double seconds(Index a_cols, Index b_cols) {
  return seconds_per_multiply * static_cast<double>(block_rows) * static_cast<double>(a_cols * b_cols);
}

void read(MatrixView<const double> matrix, Index row, Index height, double* out) {
  for (Index j = 0; j < matrix.cols(); ++j, out += block_rows) {
    const double* from = &matrix(row, j);
    if (matrix.row_stride() == 1) {
      std::copy_n(from, height, out);
    } else {
      for (Index i = 0; i < height; ++i) out[i] = from[i * matrix.row_stride()];
    }
    std::fill(out + height, out + block_rows, 0.0);
  }
}

void write(const double* from, MatrixView<double> matrix, Index row, Index height) {
  if (matrix.col_stride() == 1) {
    alignas(64) double scratch[whole_columns * block_rows];
    for (Index j = 0; j < matrix.cols(); j += block_rows) {
      const Index cols = std::min(block_rows, matrix.cols() - j);
      isa::ops<double>().store_transposed({from + j * block_rows, cols, height, &matrix(row, j), matrix.row_stride(), false},
                                          scratch);
    }
    return;
  }
  for (Index j = 0; j < matrix.cols(); ++j, from += block_rows) {
    for (Index i = 0; i < height; ++i) matrix(row + i, j) = from[i];
  }
}

void add_cross(const double* A, Index a_cols, const double* B, Index b_cols, double* sums) {
  for (Index from = 0; from < a_cols; from += block_rows) {
    const Index rows = whole(std::min(block_rows, a_cols - from));
    isa::ops<double>().apply_to_rows({A + from * block_rows, rows, block_rows, b_cols, block_rows, B, sums + from * b_cols});
  }
}

SmallMatrix sum_of_cross(const double* sums, Index count, Index a_cols, Index b_cols) {
  SmallMatrix result = SmallMatrix::Zero(a_cols, b_cols);
  for (Index part = 0; part < count; ++part, sums += cross_size(a_cols, b_cols)) {
    for (Index j = 0; j < a_cols; ++j) {
      const double* from = sums + j / block_rows * block_rows * b_cols + j % block_rows;
      for (Index c = 0; c < b_cols; ++c) result(j, c) += from[c * block_rows];
    }
  }
  return result;
}

void add_product(const double* A, const SmallMatrix& C, double* out) {
  const Index inner = static_cast<Index>(C.rows()), vectors = static_cast<Index>(C.cols());
  isa::ops<double>().apply_to_columns({A, inner, block_rows, vectors, block_rows, C.data(), out});
}

}  // namespace block

ColumnBlocks::ColumnBlocks(Index rows, Index cols)
    : rows_(rows), cols_(cols), padded_cols_(block::whole(cols)), numbers_(checked_product(blocks() * block_rows, padded_cols_)) {
  std::fill_n(numbers_.data(), numbers_.size(), 0.0);
}

ColumnBlocks::ColumnBlocks(MatrixView<const double> matrix)
    : rows_(matrix.rows()),
      cols_(matrix.cols()),
      padded_cols_(block::whole(matrix.cols())),
      numbers_(checked_product(blocks() * block_rows, padded_cols_)) {
  read(matrix);
  // What pads the columns is read by the kernels: any finite numbers would do.
  for (Index t = 0; t < blocks(); ++t) std::fill(column(t, cols_), column(t, padded_cols_), 0.0);
}

void ColumnBlocks::read(MatrixView<const double> matrix, Index first) {
  if (matrix.empty()) return;
  parallel_for(blocks(), seconds_per_number * static_cast<double>(block_rows * matrix.cols()),
               [&](Index t, int) { block::read(matrix, t * block_rows, height(t), column(t, first)); });
}

void ColumnBlocks::write(MatrixView<double> matrix, Index first) const {
  if (matrix.empty()) return;
  parallel_for(blocks(), seconds_per_number * static_cast<double>(block_rows * matrix.cols()),
               [&](Index t, int) { block::write(column(t, first), matrix, t * block_rows, height(t)); });
}

void ColumnBlocks::scale_rows(const double* factors) {
  parallel_for(blocks(), seconds_per_number * static_cast<double>(block_rows * cols_), [&](Index t, int) {
    for (Index j = 0; j < cols_; ++j) {
      double* numbers = column(t, j);
      for (Index i = 0; i < height(t); ++i) numbers[i] *= factors[t * block_rows + i];
    }
  });
}

SmallMatrix cross(const ColumnBlocks& A, Columns a, const ColumnBlocks& B, Columns b) {
  if (a.count == 0 || b.count == 0 || A.blocks() == 0) return SmallMatrix::Zero(a.count, b.count);
  const Index parts = std::min(block::pieces_of_sums, A.blocks()), size = block::cross_size(a.count, b.count);
  std::vector<double> sums(static_cast<std::size_t>(parts * size), 0.0);
  parallel_for(parts, block::seconds(a.count, b.count) * static_cast<double>(A.blocks()) / static_cast<double>(parts),
               [&](Index part, int) {
                 for (Index t = A.blocks() * part / parts; t < A.blocks() * (part + 1) / parts; ++t) {
                   block::add_cross(A.column(t, a.first), a.count, B.column(t, b.first), b.count, sums.data() + part * size);
                 }
               });
  return block::sum_of_cross(sums.data(), parts, a.count, b.count);
}

void add_product(const ColumnBlocks& A, Columns a, const SmallMatrix& C, ColumnBlocks& B, Columns b) {
  if (a.count == 0 || b.count == 0) return;
  parallel_for(A.blocks(), block::seconds(a.count, b.count),
               [&](Index t, int) { block::add_product(A.column(t, a.first), C, B.column(t, b.first)); });
}

void replace_by_product(ColumnBlocks& A, Columns a, const SmallMatrix& C, Index first) {
  const Index size = static_cast<Index>(C.cols()) * block_rows;
  if (size == 0) return;
  Buffer<double> scratch(checked_product(max_workers(), size));
  parallel_for(A.blocks(), block::seconds(a.count, C.cols()), [&](Index t, int worker) {
    double* out = scratch.data() + worker * size;
    std::fill_n(out, size, 0.0);
    block::add_product(A.column(t, a.first), C, out);
    std::copy_n(out, size, A.column(t, first));
  });
}

ColumnBlocks product(const ColumnBlocks& A, const SmallMatrix& C) {
  ColumnBlocks result(A.rows(), static_cast<Index>(C.cols()));
  add_product(A, {0, A.cols()}, C, result, {0, result.cols()});
  return result;
}

}  // namespace gramian
