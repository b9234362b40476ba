// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_features.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/row_pieces.hpp"

namespace gramian::embedding {
namespace {

double square_of_row(MatrixView<const double> Z, Index row) {
  double sums[8] = {};
  Index k = 0;
  for (; k + 8 <= Z.cols(); k += 8) {
    for (Index s = 0; s < 8; ++s) sums[s] += Z(row, k + s) * Z(row, k + s);
  }
  for (; k < Z.cols(); ++k) sums[0] += Z(row, k) * Z(row, k);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace

bool FeatureSystem::evaluate(const Point& at, MatrixView<const double> Z, Outcome& out) {
  const Batch& batch = at.batch;
  const Index n = batch.training, m = at.classes, first = batch.risk_first();
  const double* roots = batch.roots.empty() ? nullptr : batch.roots.data();
  ridge_.begin(Z.cols(), m);
  ridge_.add_labels(part(Z, 0, n, 0, Z.cols()), roots, batch.labels.data());
  try {
    // [MCE] Alg. 2, lines 7-8: the factor of ZᵀD^2 Z + N lambda I, and W by two triangular solves.
    ridge_.solve(batch.total * at.lambda, {0.0});
  } catch (const NumericalError&) {
    return false;
  }
  const Matrix& W = ridge_.W();
  norm_ = 0.0;
  for (Index k = 0; k < W.size(); ++k) norm_ += W.data()[k] * W.data()[k];
  norm_ = std::sqrt(norm_);
  ensure_shape(fitted_, batch.size(), m);
  // [MCE] Alg. 2, line 9: P = Z W.
  gemm(1.0, Z, W.view(), 0.0, fitted_.view());
  take_risk(at, part(fitted_.view(), first, batch.size() - first, 0, m), out, slopes_);
  alpha_ = sensitivity(at, Z);
  out.alpha = alpha_;
  // [MCE] Alg. 2, line 10: r = alpha |W|.
  out.terms.complexity = alpha_ * norm_;
  return true;
}

double FeatureSystem::sensitivity(const Point& at, MatrixView<const double> Z) {
  if (at.alpha > 0.0) return at.alpha;
  const Index n = at.batch.training;
  std::vector<Index> best(static_cast<std::size_t>(pieces_of(n)), 0);
  std::vector<double> most(best.size(), -1.0);
  each_piece(n, Z.cols(), [&](Index piece, Index first, Index last) {
    const auto at_piece = static_cast<std::size_t>(piece);
    for (Index i = first; i < last; ++i) {
      const double square = square_of_row(Z, i);
      if (square > most[at_piece]) most[at_piece] = square, best[at_piece] = i;
    }
  });
  const auto largest = std::max_element(most.begin(), most.end());
  largest_ = best[static_cast<std::size_t>(largest - most.begin())];
  return std::sqrt(*largest);
}

/// Zbar = Pbar W^T, and of the rows that the embedding is made of w (Y - P) U^T - w (Z U) W^T besides: [left right] [W U]^T.
void FeatureSystem::reverse(const Point& at, MatrixView<const double> Z, Outcome& out, MatrixView<double> Z_bar) {
  const Batch& batch = at.batch;
  const Index n = batch.training, m = at.classes, p = Z.cols();
  const double tau = at.criterion.tau;
  ensure_shape(left_, batch.size(), m);
  std::fill_n(left_.data(), left_.size(), 0.0);
  for (Index i = batch.risk_first(); i < batch.size(); ++i)
    left_(i, batch.label(i)) = slopes_[static_cast<std::size_t>(i - batch.risk_first())];
  ensure_shape(U_, p, m);
  const double c = norm_ > 0.0 ? tau * alpha_ / norm_ : 0.0;
  const Matrix& W = ridge_.W();
  for (Index k = 0; k < U_.size(); ++k) U_.data()[k] = c * W.data()[k];
  gemm(1.0, transposed(Z), left_.view(), 1.0, U_.view());
  cholesky_solve(ridge_.factor(), U_.view());
  double sum = 0.0;
  for (Index k = 0; k < U_.size(); ++k) sum += U_.data()[k] * W.data()[k];
  out.lambda_bar = -batch.total * sum;
  out.alpha_bar = tau * norm_;
  ensure_shape(ZU_, n, m);
  gemm(1.0, part(Z, 0, n, 0, p), U_.view(), 0.0, ZU_.view());
  ensure_shape(right_, batch.size(), m);
  std::fill_n(right_.data(), right_.size(), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) {
      left_(i, k) -= batch.weight(i) * ZU_(i, k);
      right_(i, k) = batch.weight(i) * ((batch.label(i) == k ? 1.0 : 0.0) - fitted_(i, k));
    }
  }
  gemm(1.0, left_.view(), transposed(W.view()), 0.0, Z_bar);
  gemm(1.0, right_.view(), transposed(U_.view()), 1.0, Z_bar);
  if (at.alpha > 0.0 || !(alpha_ > 0.0)) return;
  for (Index k = 0; k < p; ++k) Z_bar(largest_, k) += out.alpha_bar / alpha_ * Z(largest_, k);
}

}  // namespace gramian::embedding
