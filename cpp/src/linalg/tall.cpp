// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tall.hpp"

#include <algorithm>
#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr Index block_rows = ColumnBlocks::block_rows;
constexpr double seconds_per_number = 1e-9;

Index count_blocks(Index rows) { return (rows + block_rows - 1) / block_rows; }
Index height_of(Index t, Index rows) { return std::min(block_rows, rows - t * block_rows); }

/// Room for one block of A and one of another matrix, for every worker.
class Scratch {
 public:
  Scratch(Index a_cols, Index b_cols)
      : first_(block::whole(a_cols) * block_rows),
        size_(first_ + block::whole(b_cols) * block_rows),
        numbers_(checked_product(max_workers(), size_)) {
    std::fill_n(numbers_.data(), numbers_.size(), 0.0);
  }
  double* one(int worker) { return numbers_.data() + worker * size_; }
  double* other(int worker) { return one(worker) + first_; }

 private:
  Index first_;
  Index size_;
  Buffer<double> numbers_;
};

bool are_one(MatrixView<const double> A, MatrixView<const double> B) {
  return A.data() == B.data() && A.cols() == B.cols() && A.row_stride() == B.row_stride() && A.col_stride() == B.col_stride();
}

double seconds(Index a_cols, Index b_cols) {
  return block::seconds(a_cols, b_cols) + seconds_per_number * static_cast<double>(block_rows * (a_cols + b_cols));
}

}  // namespace

SmallMatrix tall_cross(MatrixView<const double> A, MatrixView<const double> B) {
  const Index a = A.cols(), b = B.cols(), blocks = count_blocks(A.rows()), parts = std::min(block::pieces_of_sums, blocks);
  if (parts == 0 || a == 0 || b == 0) return SmallMatrix::Zero(a, b);
  const Index size = block::cross_size(a, b);
  const bool same = are_one(A, B);
  std::vector<double> sums(static_cast<std::size_t>(checked_product(parts, size)), 0.0);
  Scratch scratch(a, b);
  parallel_for(parts, seconds(a, b) * static_cast<double>(blocks) / static_cast<double>(parts), [&](Index part, int worker) {
    double* one = scratch.one(worker);
    double* other = same ? one : scratch.other(worker);
    for (Index t = blocks * part / parts; t < blocks * (part + 1) / parts; ++t) {
      const Index height = height_of(t, A.rows());
      block::read(A, t * block_rows, height, one);
      if (!same) block::read(B, t * block_rows, height, other);
      block::add_cross(one, a, other, b, sums.data() + part * size);
    }
  });
  return block::sum_of_cross(sums.data(), parts, a, b);
}

void tall_product(MatrixView<const double> A, const SmallMatrix& C, MatrixView<const double> Z, MatrixView<double> out) {
  if (out.empty()) return;
  Scratch scratch(A.cols(), out.cols());
  parallel_for(count_blocks(A.rows()), seconds(A.cols(), out.cols()), [&](Index t, int worker) {
    const Index height = height_of(t, A.rows());
    double* sums = scratch.other(worker);
    block::read(A, t * block_rows, height, scratch.one(worker));
    if (Z.data() == nullptr) {
      std::fill_n(sums, out.cols() * block_rows, 0.0);
    } else {
      block::read(Z, t * block_rows, height, sums);
    }
    block::add_product(scratch.one(worker), C, sums);
    block::write(sums, out, t * block_rows, height);
  });
}

void tall_product(MatrixView<const double> A, const SmallMatrix& C, MatrixView<double> out) { tall_product(A, C, {}, out); }

void centre_columns(MatrixView<const double> A, MatrixView<double> out) {
  std::vector<double> sums(at(A.cols()), 0.0);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index c = 0; c < A.cols(); ++c) sums[at(c)] += A(i, c);
  }
  for (double& sum : sums) sum /= static_cast<double>(A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index c = 0; c < A.cols(); ++c) out(i, c) = A(i, c) - sums[at(c)];
  }
}

}  // namespace gramian
