// SPDX-License-Identifier: BSD-3-Clause
#include "ovk/band_form.hpp"

#include <Eigen/Householder>
#include <algorithm>
#include <cmath>

#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetric_product.hpp"
#include "linalg/packed_lower.hpp"
#include "ovk/band_solve.hpp"

namespace gramian {
namespace {

using Columns = Eigen::MatrixXd;

constexpr Index together = 64;  // columns that are reduced between two updates of all of A
constexpr Index update_rows = 384;

/// P = Q R with Q = I - Y T Yᵀ: P becomes R, Y has ones on its diagonal and zeros above.
void factorize(Columns& P, Columns& Y, Columns& T) {
  const Index count = std::min<Index>(P.rows(), P.cols());
  Y = Columns::Zero(P.rows(), count);
  T = Columns::Zero(count, count);
  for (Index j = 0; j < count; ++j) {
    const Index rows = P.rows() - j;
    double tau = 0.0, beta = 0.0;
    Y(j, j) = 1.0;
    Eigen::VectorXd tail(rows - 1);
    P.col(j).tail(rows).makeHouseholder(tail, tau, beta);
    Y.col(j).tail(rows - 1) = tail;
    const auto v = Y.col(j).tail(rows);
    const Eigen::RowVectorXd inner = v.transpose() * P.bottomRightCorner(rows, P.cols() - j);
    P.bottomRightCorner(rows, P.cols() - j).noalias() -= (tau * v) * inner;
    // Q_1 .. Q_j = I - Y T Yᵀ, column by column.
    const Eigen::VectorXd before = Y.leftCols(j).transpose() * Y.col(j);
    T.col(j).head(j) = -tau * (T.topLeftCorner(j, j) * before);
    T(j, j) = tau;
  }
}

MatrixView<double> by_columns(Columns& A) { return {A.data(), A.rows(), A.cols(), 1, A.rows()}; }

/// The lower triangle of A less Y Zᵀ + Z Yᵀ.
void subtract_both(MatrixView<double> A, const Columns& Y, const Columns& Z) {
  const Index n = A.rows(), k = Y.cols();
  Columns left(n, 2 * k), right(n, 2 * k);
  left << Y, Z;
  right << Z, Y;
  for (Index row = 0; row < n; row += update_rows) {
    const Index rows = std::min(update_rows, n - row);
    gemm(-1.0, part(by_columns(left), row, rows, 0, 2 * k), transposed(part(by_columns(right), 0, row + rows, 0, 2 * k)), 1.0,
         part(A, row, rows, 0, row + rows));
  }
}

/// What the panels since the last update of A have to say: A is to become A - Y Zᵀ - Z Yᵀ. Rows as those of A.
struct Pending {
  Columns Y, Z, T;
  Index count = 0;

  explicit Pending(Index n)
      : Y(Columns::Zero(n, together)), Z(Columns::Zero(n, together)), T(Columns::Zero(together, together)) {}

  void add(Index row, const Columns& Yp, const Columns& Zp, const Columns& Tp) {
    const Index k = Yp.cols(), rows = Yp.rows();
    if (count > 0) {
      const Columns between = Y.block(row, 0, rows, count).transpose() * Yp;
      T.block(0, count, count, k) = -T.topLeftCorner(count, count) * (between * Tp);
    }
    T.block(count, count, k, k) = Tp;
    Y.block(row, count, rows, k) = Yp;
    Z.block(row, count, rows, k) = Zp;
    count += k;
  }
};

}  // namespace

BandForm::BandForm(MatrixView<double> A) : band_(Matrix::filled(A.rows(), width + 1, 0.0)) {
  Index column = 0;
  while (column < A.rows()) {
    poll_stop();
    reduce(A, column);
  }
}

/// Some panels of `width` columns, and what they do to the rest of A.
void BandForm::reduce(MatrixView<double> A, Index& column) {
  const Index n = A.rows(), first = column;
  Pending pending(n - first);
  const auto here = as_eigen(part(A, first, n - first, first, n - first));
  while (column < n && pending.count + width <= together) {
    const Index at = column - first, cols = std::min(width, n - column), rows = n - first - at, below = rows - cols;
    Columns P = here.block(at, at, rows, cols);
    const auto Y = pending.Y.bottomRows(rows).leftCols(pending.count), Z = pending.Z.bottomRows(rows).leftCols(pending.count);
    P.noalias() -= Y * Z.topRows(cols).transpose();
    P.noalias() -= Z * Y.topRows(cols).transpose();
    Columns R = P.bottomRows(below), Yp, Tp;
    if (below > 0) {
      factorize(R, Yp, Tp);
      // Z_p = X - Y_p (T_pᵀ Y_pᵀ X) / 2 with X = A Y_p T_p.
      Columns X(below, Yp.cols());
      symmetric_product(part(A, column + cols, below, column + cols, below), by_columns(Yp), by_columns(X));
      const auto Yb = Y.bottomRows(below), Zb = Z.bottomRows(below);
      X.noalias() -= Yb * (Zb.transpose() * Yp).eval();
      X.noalias() -= Zb * (Yb.transpose() * Yp).eval();
      X = (X * Tp).eval();
      X.noalias() -= Yp * (0.5 * (Tp.transpose() * (Yp.transpose() * X))).eval();
      pending.add(at + cols, Yp, X, Tp);
    }
    for (Index j = 0; j < cols; ++j) {
      for (Index i = j; i < cols; ++i) band_(column + i, i - j) = P(i, j);
      for (Index i = 0; i < std::min(below, j + 1); ++i) band_(column + cols + i, cols + i - j) = R(i, j);
    }
    column += cols;
  }
  const Index k = pending.count;
  if (k == 0) return;
  const Index start = std::min(first + width, n);
  Reflections kept{start, Matrix(n - start, k), Matrix(k, k)};
  as_eigen(kept.Y.view()) = pending.Y.bottomRows(n - start).leftCols(k);
  as_eigen(kept.T.view()) = pending.T.topLeftCorner(k, k);
  reflections_.push_back(std::move(kept));
  const Index left = n - column;
  if (left > 0) {
    const Columns Y = pending.Y.bottomRows(left).leftCols(k), Z = pending.Z.bottomRows(left).leftCols(k);
    subtract_both(part(A, column, left, column, left), Y, Z);
  }
}

double BandForm::norm() const {
  std::vector<double> sums(static_cast<std::size_t>(size()), 0.0);
  for (Index i = 0; i < size(); ++i) {
    for (Index d = 0; d <= std::min(i, width); ++d) {
      sums[static_cast<std::size_t>(i)] += std::fabs(band_(i, d));
      if (d > 0) sums[static_cast<std::size_t>(i - d)] += std::fabs(band_(i, d));
    }
  }
  return sums.empty() ? 0.0 : *std::max_element(sums.begin(), sums.end());
}

void BandForm::reflect(const Reflections& Q, bool transposed_T, MatrixView<double> V) {
  const Index k = Q.T.rows();
  if (V.empty()) return;
  Matrix inner(k, V.cols()), turned(k, V.cols());
  gemm(1.0, transposed(Q.Y.view()), V, 0.0, inner.view());
  gemm(1.0, transposed_T ? transposed(Q.T.view()) : Q.T.view(), inner.view(), 0.0, turned.view());
  gemm(-1.0, Q.Y.view(), turned.view(), 1.0, V);
}

void BandForm::apply(MatrixView<double> V) const {
  for (auto Q = reflections_.rbegin(); Q != reflections_.rend(); ++Q) {
    poll_stop();
    reflect(*Q, false, part(V, Q->row, size() - Q->row, 0, V.cols()));
  }
}

void BandForm::apply_transposed(MatrixView<double> V) const {
  for (const Reflections& Q : reflections_) {
    poll_stop();
    reflect(Q, true, part(V, Q.row, size() - Q.row, 0, V.cols()));
  }
}

void BandForm::form(MatrixView<double> Z) const {
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) Z(i, j) = i == j ? 1.0 : 0.0;
  }
  // Before its turn nothing has changed but what is right of and below the later ones.
  for (auto Q = reflections_.rbegin(); Q != reflections_.rend(); ++Q) {
    poll_stop();
    reflect(*Q, false, part(Z, Q->row, size() - Q->row, Q->row, size() - Q->row));
  }
}

void BandForm::divide(const double* D, double shift, MatrixView<double> V) const {
  const double bound = norm();
  const Index groups = (V.cols() + band_lanes - 1) / band_lanes;
  parallel_for(groups, 60e-9 * static_cast<double>(band_lanes * size()), [&](Index group, int) {
    const Index first = group * band_lanes;
    divide_by_band<width>(band_, bound, D + first, shift, part(V, 0, V.rows(), first, std::min(band_lanes, V.cols() - first)));
  });
}

bool BandForm::positive(double excess) const { return band_is_positive<width>(band_, excess); }

}  // namespace gramian
