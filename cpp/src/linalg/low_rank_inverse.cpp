// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/low_rank_inverse.hpp"

#include <cmath>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/tall_qr.hpp"

namespace gramian {
namespace {

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
  const double root = std::sqrt(TallQr(Q_).square());
  for (Index i = 0; i < roots_.rows(); ++i) roots_(i, 0) /= root;
}

void LowRankInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), size(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  if (R.empty()) return;
  for_entries(out, [&](Index i, Index j) { out(i, j) = roots_(i, 0) * R(i, j); });
  if (rank() > 0) {
    Matrix inner(rank(), R.cols());
    gemm(1.0, transposed(Q_.view()), out, 0.0, inner.view());
    gemm(-1.0, Q_.view(), inner.view(), 1.0, out);
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
