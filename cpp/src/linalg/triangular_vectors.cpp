// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/triangular_vectors.hpp"

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

constexpr Index most_vectors = 4;
constexpr Index single_block = isa::half_tile;  // systems up to here are solved as they are
constexpr Index rows_per_task = isa::quarter_tile;
constexpr Index columns_per_task = 1024;
constexpr double seconds_per_number = 0.25e-9;

/// Larger blocks for larger systems, so that a block has work for several threads.
Index block_rows(Index n) { return n < 4096 ? single_block : 4 * single_block; }

struct Range {
  Index first;
  Index count;
};

class VectorSolve {
 public:
  /// X: contiguous columns.
  VectorSolve(MatrixView<const double> T, MatrixView<double> X, bool lower)
      : ops_(dense_ops()), T_(T), X_(X), lower_(lower), by_rows_(T.col_stride() == 1) {}

  void run() {
    const Index n = T_.rows(), block = block_rows(n), blocks = (n + block - 1) / block;
    for (Index b = 0; b < blocks; ++b) {
      const Index first = (lower_ ? b : blocks - 1 - b) * block, count = std::min(block, n - first), end = first + count;
      const Range before{0, first}, after{end, n - end};
      if (by_rows_) subtract_solved({first, count}, lower_ ? before : after);
      const MatrixView<const double> diagonal = part(T_, first, count, first, count);
      const MatrixView<double> X = part(X_, first, count, 0, X_.cols());
      lower_ ? solve_lower(diagonal, X) : solve_upper(diagonal, X);
      if (!by_rows_) subtract_from_unsolved({first, count}, lower_ ? after : before);
    }
  }

 private:
  /// X(rows) -= T(rows, solved) X(solved)
  void subtract_solved(Range rows, Range solved) {
    const Index tasks = (rows.count + rows_per_task - 1) / rows_per_task;
    const double numbers = static_cast<double>(rows_per_task * solved.count);
    parallel_for(tasks, numbers * seconds_per_number, [&](Index task, int) {
      const Index row = rows.first + task * rows_per_task, count = std::min(rows_per_task, rows.first + rows.count - row);
      for (Index c = 0; c < X_.cols(); ++c) {
        ops_.subtract_rows({T_.data() + row * T_.row_stride() + solved.first, T_.row_stride(), count, solved.count,
                            &X_(solved.first, c), &X_(row, c)});
      }
    });
  }

  /// X(unsolved) -= T(unsolved, columns) X(columns), where the columns of T are contiguous
  void subtract_from_unsolved(Range columns, Range unsolved) {
    const Index tasks = (unsolved.count + columns_per_task - 1) / columns_per_task;
    const double numbers = static_cast<double>(columns.count * std::min(columns_per_task, unsolved.count));
    parallel_for(tasks, numbers * seconds_per_number, [&](Index task, int) {
      const Index row = unsolved.first + task * columns_per_task;
      const Index count = std::min(columns_per_task, unsolved.first + unsolved.count - row);
      for (Index c = 0; c < X_.cols(); ++c) {
        ops_.subtract_columns({T_.data() + columns.first * T_.col_stride() + row, T_.col_stride(), columns.count, count,
                               &X_(columns.first, c), &X_(row, c)});
      }
    });
  }

  const isa::DenseOps<double>& ops_;
  MatrixView<const double> T_;
  MatrixView<double> X_;
  bool lower_;
  bool by_rows_;
};

}  // namespace

bool solves_vectors(MatrixView<const double> T, MatrixView<const double> B) {
  return B.cols() <= most_vectors && T.rows() > block_rows(T.rows()) && (T.col_stride() == 1 || T.row_stride() == 1);
}

void solve_vectors(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X, bool lower) {
  const Index n = B.rows(), m = B.cols();
  Buffer<double> numbers(checked_product(n, m));
  const MatrixView<double> columns(numbers.data(), n, m, 1, n);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < m; ++c) columns(i, c) = B(i, c);
  }
  VectorSolve(T, columns, lower).run();
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < m; ++c) X(i, c) = columns(i, c);
  }
}

}  // namespace gramian
