// SPDX-License-Identifier: BSD-3-Clause
// Many small systems at once. Threads share the batch; one thread solves one system.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"
#include "gramian/linalg/cholesky.hpp"

namespace gramian {

/// count matrices of one shape; matrix b begins at data + b * stride.
template <class T>
class BatchView {
 public:
  BatchView(Index count, Index stride, MatrixView<T> first) : count_(count), stride_(stride), first_(first) {}

  Index count() const { return count_; }
  Index rows() const { return first_.rows(); }
  Index cols() const { return first_.cols(); }
  MatrixView<T> operator[](Index b) const {
    return {first_.data() + b * stride_, first_.rows(), first_.cols(), first_.row_stride(), first_.col_stride()};
  }

 private:
  Index count_;
  Index stride_;
  MatrixView<T> first_;
};

/// What became of one system of a batch. One that fails spoils no other.
struct SystemReport {
  FactorStatus status;
  double jitter;  ///< added to the diagonal; the largest that was tried if status is not_positive
};

/// L[b] = the factor of A[b] + reports[b].jitter I, with zeros above; NaN throughout if it failed. A, L: count x n x n, L may be
/// A itself. reports: count of them. Throws std::invalid_argument for shapes that do not fit.
GRAMIAN_API void cholesky_batch(BatchView<const double> A, BatchView<double> L, SystemReport* reports,
                                const CholeskyOptions& options = {});

/// B[b] = (A[b] + reports[b].jitter I)^-1 B[b]; NaN throughout if the factorization failed. A: count x n x n, B: count x n x m.
/// Per system n^3 / 3 + 2 n^2 m operations.
GRAMIAN_API void cholesky_solve_batch(BatchView<const double> A, BatchView<double> B, SystemReport* reports,
                                      const CholeskyOptions& options = {});

}  // namespace gramian
