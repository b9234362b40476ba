// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/low_rank_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/tall.hpp"
#include "linalg/tall_qr.hpp"

namespace gramian {
namespace {

constexpr Index few_columns = 4;  // up to here the columns of Q are read in place, beyond in the blocks of products
constexpr Index pieces_of_sums = 16;
constexpr double seconds_per_number = 0.1e-9;

/// sums = Q[first .. last)ᵀ x[first .. last), four rows at a time, so that sums are read and written less often.
void cross_rows(const Matrix& Q, MatrixView<const double> x, Index first, Index last, double* sums) {
  const Index m = Q.cols();
  std::fill_n(sums, m, 0.0);
  Index i = first;
  for (; i + 4 <= last; i += 4) {
    const double *a = &Q.data()[i * m], *b = a + m, *c = b + m, *d = c + m;
    const double wa = x(i, 0), wb = x(i + 1, 0), wc = x(i + 2, 0), wd = x(i + 3, 0);
    for (Index k = 0; k < m; ++k) sums[k] += (wa * a[k] + wb * b[k]) + (wc * c[k] + wd * d[k]);
  }
  for (; i < last; ++i) {
    for (Index k = 0; k < m; ++k) sums[k] += x(i, 0) * Q.data()[i * m + k];
  }
}

/// x -= Q (Qᵀ x), column by column.
void subtract_few(const Matrix& Q, MatrixView<double> x) {
  const Index n = Q.rows(), m = Q.cols(), rows = count_pieces(n, pieces_of_sums), pieces = count_pieces(n, rows);
  const double seconds = seconds_per_number * static_cast<double>(rows) * static_cast<double>(m);
  Matrix sums(pieces, m);
  for (Index j = 0; j < x.cols(); ++j) {
    const MatrixView<double> column = part(x, 0, n, j, 1);
    parallel_for(pieces, seconds, [&](Index piece, int) {
      cross_rows(Q, column, piece * rows, std::min(n, (piece + 1) * rows), sums.data() + piece * m);
    });
    for (Index piece = 1; piece < pieces; ++piece) {
      for (Index k = 0; k < m; ++k) sums(0, k) += sums(piece, k);
    }
    parallel_for(pieces, seconds, [&](Index piece, int) {
      for (Index i = piece * rows; i < std::min(n, (piece + 1) * rows); ++i) {
        column(i, 0) -= inner_product(Q.data() + i * m, sums.data(), m);
      }
    });
  }
}

Matrix checked_roots(MatrixView<const double> shifts) {
  Matrix roots(shifts.rows(), 1);
  for (Index i = 0; i < shifts.rows(); ++i) {
    require(std::isfinite(shifts(i, 0)) && shifts(i, 0) > 0.0, "shift must hold finite numbers greater than 0");
    roots(i, 0) = 1.0 / std::sqrt(shifts(i, 0));
  }
  return roots;
}

}  // namespace

LowRankInverse::LowRankInverse(MatrixView<const double> F, double shift)
    : LowRankInverse(F, MatrixView<const double>(&shift, F.rows(), 1, 0, 0)) {}

LowRankInverse::LowRankInverse(MatrixView<const double> F, MatrixView<const double> shifts) {
  require_shape(shifts, F.rows(), 1, "shift");
  require_finite(F, "F");
  roots_ = checked_roots(shifts);
  factorize(F);
}

void LowRankInverse::factorize(MatrixView<const double> F) {
  require_memory(bytes_of(F.rows(), F.cols()), "the inverse of a diagonal plus low rank", "use a factor of fewer columns");
  Q_ = Matrix(F.rows(), F.cols());
  for_entries(Q_.view(), [&](Index i, Index k) { Q_(i, k) = roots_(i, 0) * F(i, k); });
  if (Q_.empty()) return;
  const double root = std::sqrt(tall_qr(Q_));
  for (Index i = 0; i < roots_.rows(); ++i) roots_(i, 0) /= root;
}

void LowRankInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), size(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  if (R.empty()) return;
  for_entries(out, [&](Index i, Index j) { out(i, j) = roots_(i, 0) * R(i, j); });
  if (rank() > 0) {
    R.cols() <= few_columns ? subtract_few(Q_, out) : tall_product(Q_.view(), -tall_cross(Q_.view(), out), out, out);
  }
  for_entries(out, [&](Index i, Index j) { out(i, j) *= roots_(i, 0); });
}

JacobiInverse::JacobiInverse(MatrixView<const double> d) : inverse_(d.rows(), 1) {
  require_shape(d, d.rows(), 1, "d");
  for (Index i = 0; i < d.rows(); ++i) {
    require(std::isfinite(d(i, 0)) && d(i, 0) > 0.0, "d must hold finite numbers greater than 0");
    inverse_(i, 0) = 1.0 / d(i, 0);
  }
}

void JacobiInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), inverse_.rows(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  for_entries(out, [&](Index i, Index j) { out(i, j) = inverse_(i, 0) * R(i, j); });
}

}  // namespace gramian
