// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_features.hpp"

#include <algorithm>
#include <cmath>

#include "base/pieces.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

void reserve(Matrix& A, Index rows, Index cols) {
  if (A.rows() != rows || A.cols() != cols) A = Matrix(rows, cols);
}

/// Rows are cut into so many pieces, whatever the number of threads, each with sums of its own.
constexpr Index most_pieces = 16;
constexpr Index rows_in_piece = 512;
constexpr double seconds_per_number = 0.4e-9;

Index pieces_of(Index rows) { return std::clamp((rows + rows_in_piece - 1) / rows_in_piece, Index(1), most_pieces); }

/// each(piece, first row, last row)
template <class Each>
void for_pieces(Index rows, Index columns, Each each) {
  const Index pieces = pieces_of(rows);
  const double seconds = seconds_per_number * static_cast<double>(rows / pieces * columns);
  parallel_for(pieces, seconds, [&](Index piece, int) { each(piece, rows * piece / pieces, rows * (piece + 1) / pieces); });
}

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

bool EmbeddingFeatures::evaluate(const EmbeddingPoint& at, MatrixView<const double> Z, EmbeddingOutcome& out) {
  const EmbeddingBatch& batch = at.batch;
  if (!solve(at, Z)) return false;
  norm_ = 0.0;
  for (Index k = 0; k < W_.size(); ++k) norm_ += W_.data()[k] * W_.data()[k];
  norm_ = std::sqrt(norm_);
  reserve(fitted_, batch.size(), at.classes);
  // [MCE] Alg. 2, line 9: P = Z W.
  gemm(1.0, Z, W_.view(), 0.0, fitted_.view());
  take_risk(at, rows_of(fitted_.view(), batch.risk_first(), batch.size() - batch.risk_first()), out.terms, slopes_);
  alpha_ = sensitivity(at, Z);
  out.alpha = alpha_;
  // [MCE] Alg. 2, line 10: r = alpha |W|.
  out.terms.complexity = alpha_ * norm_;
  return true;
}

/// [MCE] Alg. 2, lines 7-8: the factor of ZᵀD^2 Z + N lambda I, and W by two triangular solves.
bool EmbeddingFeatures::solve(const EmbeddingPoint& at, MatrixView<const double> Z) {
  const EmbeddingBatch& batch = at.batch;
  const Index n = batch.training, p = Z.cols();
  MatrixView<const double> scaled = rows_of(Z, 0, n);
  if (!batch.roots.empty()) {
    reserve(weighted_, n, p);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < p; ++k) weighted_(i, k) = batch.root(i) * Z(i, k);
    }
    scaled = weighted_.view();
  }
  reserve(A_, p, p);
  gemm_symmetric(1.0, transposed(scaled), 0.0, A_.view(), Triangle::lower);
  for (Index k = 0; k < p; ++k) A_(k, k) += batch.total * at.lambda;
  sum_classes(at, Z);
  try {
    cholesky_in_place(A_.view(), {0.0});
  } catch (const NumericalError&) {
    return false;
  }
  cholesky_solve(A_.view(), W_.view());
  return true;
}

/// W = Z^T w Y: a sum for each class.
void EmbeddingFeatures::sum_classes(const EmbeddingPoint& at, MatrixView<const double> Z) {
  const EmbeddingBatch& batch = at.batch;
  const Index n = batch.training, m = at.classes, p = Z.cols(), pieces = pieces_of(n);
  reserve(sums_, pieces * m, p);
  for_pieces(n, p, [&](Index piece, Index first, Index last) {
    double* sums = sums_.data() + piece * m * p;
    std::fill_n(sums, m * p, 0.0);
    for (Index i = first; i < last; ++i) {
      double* to = sums + batch.label(i) * p;
      for (Index k = 0; k < p; ++k) to[k] += batch.weight(i) * Z(i, k);
    }
  });
  reserve(W_, p, m);
  std::fill_n(W_.data(), W_.size(), 0.0);
  for (Index row = 0; row < pieces * m; ++row) {
    for (Index k = 0; k < p; ++k) W_(k, row % m) += sums_(row, k);
  }
}

double EmbeddingFeatures::sensitivity(const EmbeddingPoint& at, MatrixView<const double> Z) {
  if (at.alpha > 0.0) return at.alpha;
  const Index n = at.batch.training;
  std::vector<Index> best(static_cast<std::size_t>(pieces_of(n)), 0);
  std::vector<double> most(best.size(), -1.0);
  for_pieces(n, Z.cols(), [&](Index piece, Index first, Index last) {
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
void EmbeddingFeatures::reverse(const EmbeddingPoint& at, MatrixView<const double> Z, EmbeddingOutcome& out,
                                MatrixView<double> Z_bar) {
  const EmbeddingBatch& batch = at.batch;
  const Index n = batch.training, m = at.classes, p = Z.cols();
  const double tau = at.criterion.tau;
  reserve(left_, batch.size(), m);
  std::fill_n(left_.data(), left_.size(), 0.0);
  for (Index i = batch.risk_first(); i < batch.size(); ++i)
    left_(i, batch.label(i)) = slopes_[static_cast<std::size_t>(i - batch.risk_first())];
  reserve(U_, p, m);
  const double c = norm_ > 0.0 ? tau * alpha_ / norm_ : 0.0;
  for (Index k = 0; k < U_.size(); ++k) U_.data()[k] = c * W_.data()[k];
  gemm(1.0, transposed(Z), left_.view(), 1.0, U_.view());
  cholesky_solve(A_.view(), U_.view());
  double sum = 0.0;
  for (Index k = 0; k < U_.size(); ++k) sum += U_.data()[k] * W_.data()[k];
  out.lambda_bar = -batch.total * sum;
  out.alpha_bar = tau * norm_;
  reserve(ZU_, n, m);
  gemm(1.0, rows_of(Z, 0, n), U_.view(), 0.0, ZU_.view());
  reserve(right_, batch.size(), m);
  std::fill_n(right_.data(), right_.size(), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) {
      left_(i, k) -= batch.weight(i) * ZU_(i, k);
      right_(i, k) = batch.weight(i) * ((batch.label(i) == k ? 1.0 : 0.0) - fitted_(i, k));
    }
  }
  gemm(1.0, left_.view(), transposed(W_.view()), 0.0, Z_bar);
  gemm(1.0, right_.view(), transposed(U_.view()), 1.0, Z_bar);
  if (at.alpha > 0.0 || !(alpha_ > 0.0)) return;
  for (Index k = 0; k < p; ++k) Z_bar(largest_, k) += out.alpha_bar / alpha_ * Z(largest_, k);
}

}  // namespace gramian
