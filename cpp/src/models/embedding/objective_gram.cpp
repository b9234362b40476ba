// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_gram.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "linalg/factorize.hpp"
#include "linalg/packed_solve.hpp"

namespace gramian::embedding {
namespace {

/// One of some points.
Points point(const Points& X, Index row) {
  if (!X.sparse())
    return MatrixView<const double>(&X.float64()(row, 0), 1, X.dimension(), X.float64().row_stride(), X.float64().col_stride());
  SparseRows<double> one = X.sparse64();
  one.rows = 1;
  one.row_start += row;
  return one;
}

}  // namespace

void GramSystem::take(const Batch& batch, const Kernel& kernel, const Points& points) {
  require_room(batch.size());
  // [MCE] Alg. 1, line 6: K of the batch.
  gram_.evaluate(kernel, points, batch.training);
}

bool GramSystem::evaluate(const Point& at, const Kernel& kernel, const Points& points, Outcome& out) {
  const Batch& batch = at.batch;
  take(batch, kernel, points);
  if (!solve(at)) return false;
  const Index first = batch.risk_first();
  take_risk(at, part(fitted_.view(), first, batch.size() - first, 0, at.classes), out, slopes_);
  alpha_ = sensitivity(at);
  out.alpha = alpha_;
  // [MCE] Alg. 1, line 10: r = alpha sqrt(tr VᵀKV).
  out.terms.complexity = alpha_ * std::sqrt(square_);
  return true;
}

/// Half of K and half of its factor, in tiles.
void GramSystem::require_room(Index size) {
  if (size <= room_) return;
  const Index bytes = checked_product(checked_product(size, size), sizeof(double));
  require_memory(static_cast<std::uint64_t>(bytes), "a Gram matrix of all samples and its factor",
                 "use batches, features, or fewer samples");
  room_ = size;
}

bool GramSystem::solve(const Point& at) {
  const Batch& batch = at.batch;
  const Index n = batch.training;
  if (!factor_ || factor_->size() != n) {
    factor_.reset();
    factor_.emplace(n, factor_tile(n));
  }
  const auto tile = [this](Index row_tile, Index col_tile) { return gram_.tile(row_tile, col_tile); };
  const double* scale = batch.roots.empty() ? nullptr : batch.roots.data();
  const TiledMatrix B{n, gram_.step(), isa::tile_size, tile, scale, batch.total * at.lambda};
  // [MCE] Alg. 1, line 7: the factor of B = D K D + N lambda I, tile by tile.
  jitter_ = 0.0;
  if (at.max_jitter > 0.0) {
    const FactorReport report = factorize(B, *factor_, {at.max_jitter});
    if (report.status != FactorStatus::ok && report.status != FactorStatus::jittered) return false;
    jitter_ = report.jitter;
  } else if (factorize(B, *factor_) >= 0) {
    return false;
  }
  // [MCE] Alg. 1, line 5 and Alg. 1, line 8: D Y, and S = B^-1 D Y by two triangular solves; V = D S.
  ensure_shape(S_, n, at.classes);
  std::fill_n(S_.data(), S_.size(), 0.0);
  for (Index i = 0; i < n; ++i) S_(i, batch.label(i)) = batch.root(i);
  solve_packed(*factor_, S_.view(), sides_);
  take_predictions(at);
  return true;
}

/// [MCE] Alg. 1, line 9: P = K V = Y - N lambda D^-1 S, a product with K only for rows that the embedding has not seen.
void GramSystem::take_predictions(const Point& at) {
  const Batch& batch = at.batch;
  const Index n = batch.training, m = at.classes;
  const double shift = batch.total * at.lambda + jitter_;
  ensure_shape(V_, batch.size(), m);
  ensure_shape(fitted_, batch.size(), m);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < m; ++c) V_(i, c) = batch.root(i) * S_(i, c);
  }
  if (batch.split()) {
    std::fill_n(V_.data() + n * m, (batch.size() - n) * m, 0.0);
    gram_.product(V_.view(), fitted_.view());
  }
  square_ = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < m; ++c) {
      fitted_(i, c) = (batch.label(i) == c ? 1.0 : 0.0) - shift * S_(i, c) / batch.root(i);
      square_ += V_(i, c) * fitted_(i, c);
    }
  }
  square_ = std::max(square_, 0.0);  // rounding
}

/// Of few rows all of it; else |L^-1 e_i|^2 by solves with the factor as it is packed, which has no room beside K for another.
std::vector<double> GramSystem::inverse_diagonal_at(const std::vector<Index>& rows) {
  const Index n = factor_->size(), count = static_cast<Index>(rows.size());
  std::vector<double> all(static_cast<std::size_t>(n)), out;
  if (n <= few_rows) {
    Matrix L(n, n);
    store_factor(*factor_, L.view());
    inverse_diagonal(L.view(), all.data());
    for (const Index row : rows) out.push_back(all[static_cast<std::size_t>(row)]);
    return out;
  }
  constexpr Index together = 192;
  Matrix columns(n, std::min(count, together));
  for (Index first = 0; first < count; first += together) {
    poll_stop();
    const MatrixView<double> E = part(columns.view(), 0, n, 0, std::min(together, count - first));
    fill_zero(E);
    for (Index c = 0; c < E.cols(); ++c) E(rows[static_cast<std::size_t>(first + c)], c) = 1.0;
    solve_packed_lower(*factor_, E, sides_);
    std::vector<double> squares(static_cast<std::size_t>(E.cols()), 0.0);
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < E.cols(); ++c) squares[static_cast<std::size_t>(c)] += E(i, c) * E(i, c);
    }
    out.insert(out.end(), squares.begin(), squares.end());
  }
  return out;
}

/// The residual of a row that is left out is that of the fit over 1 - its leverage, N lambda (B^-1)_ii.
Matrix GramSystem::left_out(const Batch& batch, const std::vector<Index>& rows) {
  const std::vector<double> inverse = inverse_diagonal_at(rows);
  Matrix values(static_cast<Index>(rows.size()), S_.cols());
  for_entries(values.view(), [&](Index k, Index c) {
    const Index i = rows[static_cast<std::size_t>(k)];
    const double y = batch.label(i) == c ? 1.0 : 0.0;
    values(k, c) = y - S_(i, c) / (batch.root(i) * inverse[static_cast<std::size_t>(k)]);
  });
  return values;
}

double GramSystem::sensitivity(const Point& at) {
  if (at.alpha > 0.0) return at.alpha;
  largest_ = 0;
  for (Index i = 1; i < at.batch.training; ++i) largest_ = gram_.diagonal(i) > gram_.diagonal(largest_) ? i : largest_;
  return std::sqrt(gram_.diagonal(largest_));
}

/// U = D Vbar; without a split less N lambda D^-1 Pbar, which spares the product K Pbar: what is missing then in U, D^-1 Pbar, is
/// what Left has from the start.
void GramSystem::right_side(const Point& at, double c) {
  const Batch& batch = at.batch;
  const Index n = batch.training, m = at.classes;
  ensure_shape(U_, n, m);
  if (batch.split()) {
    ensure_shape(across_, batch.size(), m);
    gram_.product(left_.view(), across_.view());
  }
  const double shift = batch.total * at.lambda;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) U_(i, k) = batch.root(i) * (2.0 * c * fitted_(i, k) + (batch.split() ? across_(i, k) : 0.0));
    if (!batch.split()) U_(i, batch.label(i)) -= shift * slopes_[static_cast<std::size_t>(i)] / batch.root(i);
  }
}

void GramSystem::reverse(const Point& at, const Kernel& kernel, const Points& points, Outcome& out,
                         std::vector<double>& kernel_bar, MatrixView<double> points_bar) {
  const Batch& batch = at.batch;
  const Index n = batch.training, m = at.classes;
  const double tau = at.criterion.tau, root = std::sqrt(square_), c = root > 0.0 ? tau * alpha_ / (2.0 * root) : 0.0;
  ensure_shape(left_, batch.size(), m);
  std::fill_n(left_.data(), left_.size(), 0.0);
  for (Index i = batch.risk_first(); i < batch.size(); ++i)
    left_(i, batch.label(i)) = slopes_[static_cast<std::size_t>(i - batch.risk_first())];
  right_side(at, c);
  solve_packed(*factor_, U_.view(), sides_);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) sum += U_(i, k) * S_(i, k);
    if (!batch.split()) sum += slopes_[static_cast<std::size_t>(i)] * S_(i, batch.label(i)) / batch.root(i);
    for (Index k = 0; k < m; ++k) left_(i, k) = c * V_(i, k) - batch.root(i) * U_(i, k);
  }
  out.lambda_bar = -batch.total * sum;
  out.alpha_bar = tau * root;
  kernel_bar = gram_.adjoint(left_.view(), V_.view(), points_bar);
  if (at.alpha == 0.0) reverse_sensitivity(kernel, points, out.alpha_bar, kernel_bar, points_bar);
}

/// alpha = sqrt(k(x, x)) of one x.
void GramSystem::reverse_sensitivity(const Kernel& kernel, const Points& points, double alpha_bar,
                                     std::vector<double>& kernel_bar, MatrixView<double> points_bar) const {
  if (!(alpha_ > 0.0)) return;
  const double bar = alpha_bar / (2.0 * alpha_), one = 1.0;
  Matrix x_bar(points_bar.empty() ? 0 : 1, points.dimension());
  const GramGradient<double> Kbar(MatrixView<const double>(&bar, 1, 1), MatrixView<const double>(&one, 1, 1));
  const std::vector<double> more = adjoint(kernel, point(points, largest_), Kbar, x_bar.view());
  for (std::size_t p = 0; p < more.size(); ++p) kernel_bar[p] += more[p];
  for (Index k = 0; k < points_bar.cols(); ++k) points_bar(largest_, k) += x_bar(0, k);
}

}  // namespace gramian::embedding
