// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/reflections.hpp"

#include <algorithm>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

constexpr Index applied_together = 128;

/// V = V - leftᵀ right V
void reflect(const Matrix& left, const Matrix& right, MatrixView<double> V) {
  if (V.empty()) return;
  Matrix inner(right.rows(), V.cols());
  gemm(1.0, right.view(), V, 0.0, inner.view());
  gemm(-1.0, transposed(left.view()), inner.view(), 1.0, V);
}

void copy(MatrixView<const double> from, MatrixView<double> to) {
  for (Index i = 0; i < from.rows(); ++i) std::copy_n(&from(i, 0), from.cols(), &to(i, 0));
}

}  // namespace

void Reflections::add(Index row, Matrix&& Yt, Matrix&& T) {
  Factor next{row, std::move(Yt), std::move(T), {}};
  if (factors_.empty() || factors_.back().count() + next.count() > applied_together) {
    factors_.push_back(std::move(next));
  } else {
    factors_.back() = joined(factors_.back(), next);
  }
}

/// Q_1 Q_2 = I - Y T Yᵀ with Y = (Y_1, Y_2) and T = (T_1, -T_1 Y_1ᵀ Y_2 T_2; 0, T_2): products with more columns at a time.
Reflections::Factor Reflections::joined(const Factor& first, const Factor& second) {
  const Index k = first.count(), more = second.count(), offset = second.row - first.row;
  Factor both{first.row, Matrix::filled(k + more, first.rows(), 0.0), Matrix::filled(k + more, k + more, 0.0), {}};
  copy(first.Yt.view(), part(both.Yt.view(), 0, k, 0, first.rows()));
  copy(second.Yt.view(), part(both.Yt.view(), k, more, offset, second.rows()));
  copy(first.T.view(), part(both.T.view(), 0, k, 0, k));
  copy(second.T.view(), part(both.T.view(), k, more, k, more));
  Matrix between(k, more), half(k, more);
  gemm(1.0, part(first.Yt.view(), 0, k, offset, second.rows()), transposed(second.Yt.view()), 0.0, between.view());
  gemm(1.0, first.T.view(), between.view(), 0.0, half.view());
  gemm(-1.0, half.view(), second.T.view(), 0.0, part(both.T.view(), 0, k, k, more));
  return both;
}

void Reflections::finish() {
  for (Factor& Q : factors_) {
    Q.YTt = Matrix(Q.count(), Q.rows());
    gemm(1.0, transposed(Q.T.view()), Q.Yt.view(), 0.0, Q.YTt.view());
  }
}

void Reflections::apply(MatrixView<double> V) const {
  for (auto Q = factors_.rbegin(); Q != factors_.rend(); ++Q) {
    poll_stop();
    reflect(Q->YTt, Q->Yt, part(V, Q->row, Q->rows(), 0, V.cols()));
  }
}

void Reflections::apply_transposed(MatrixView<double> V) const {
  for (const Factor& Q : factors_) {
    poll_stop();
    reflect(Q.Yt, Q.YTt, part(V, Q.row, Q.rows(), 0, V.cols()));
  }
}

}  // namespace gramian
