// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/band_form.hpp"

#include <Eigen/Householder>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/symmetric_panel.hpp"
#include "linalg/tridiagonal_form.hpp"

namespace gramian {
namespace {

using Columns = Eigen::MatrixXd;

constexpr Index together = 64;  // columns that are reduced between two updates of all of A
constexpr Index width = BandForm::width;
constexpr Index most_tridiagonal = 256;  // what fits a cache may be read once a column

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

MatrixView<double> rows_and_columns(Columns& A, Index row, Index rows, Index cols) {
  return part(by_columns(A), row, rows, 0, cols);
}

/// What the panels since the last update of A have to say: A is to become A - W Vᵀ, where for each of them W has Y and Z, and V
/// has Z and Y. Rows as those of A.
class Pending {
 public:
  explicit Pending(Index n)
      : W_(Columns::Zero(n, 2 * together)),
        V_(Columns::Zero(n, 2 * together)),
        Y_(Columns::Zero(n, together)),
        T_(Columns::Zero(together, together)) {}

  Index count() const { return count_; }

  void add(Index row, const Columns& Y, const Columns& Z, const Columns& T) {
    const Index k = Y.cols(), rows = Y.rows();
    if (count_ > 0) {
      const Columns between = Y_.block(row, 0, rows, count_).transpose() * Y;
      T_.block(0, count_, count_, k) = -T_.topLeftCorner(count_, count_) * (between * T);
    }
    T_.block(count_, count_, k, k) = T;
    Y_.block(row, count_, rows, k) = Y;
    W_.block(row, 2 * count_, rows, k) = V_.block(row, 2 * count_ + k, rows, k) = Y;
    V_.block(row, 2 * count_, rows, k) = W_.block(row, 2 * count_ + k, rows, k) = Z;
    count_ += k;
  }

  /// P, some columns of A from the diagonal on, as they are to become.
  void update(Index row, Columns& P) {
    if (count_ == 0) return;
    gemm(-1.0, rows_and_columns(W_, row, P.rows(), 2 * count_), transposed(rows_and_columns(V_, row, P.cols(), 2 * count_)), 1.0,
         by_columns(P));
  }

  /// X, the product of the rest of A with Y, less what A is going to lose.
  void update_product(Index row, Columns& Y, Columns& X) {
    if (count_ == 0) return;
    Columns inner(2 * count_, Y.cols());
    gemm(1.0, transposed(rows_and_columns(V_, row, Y.rows(), 2 * count_)), by_columns(Y), 0.0, by_columns(inner));
    gemm(-1.0, rows_and_columns(W_, row, Y.rows(), 2 * count_), by_columns(inner), 1.0, by_columns(X));
  }

  /// All of them, on the rest of A.
  void update_all(Index row, MatrixView<double> A) {
    gemm_lower(-1.0, rows_and_columns(W_, row, A.rows(), 2 * count_), transposed(rows_and_columns(V_, row, A.rows(), 2 * count_)),
               1.0, A);
  }

  /// Y and T of all of them, Y from a row on and transposed.
  Matrix transposed_Y(Index row) const {
    Matrix Yt(count_, Y_.rows() - row);
    as_eigen(Yt.view()) = Y_.bottomRows(Yt.cols()).leftCols(count_).transpose();
    return Yt;
  }
  Matrix T() const {
    Matrix out(count_, count_);
    as_eigen(out.view()) = T_.topLeftCorner(count_, count_);
    return out;
  }

 private:
  Columns W_, V_, Y_, T_;
  Index count_ = 0;
};

/// A Y for the lower triangle of A.
Columns times(MatrixView<const double> A, const Columns& Y) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, panel_vectors, Eigen::RowMajor>;
  Rows x = Rows::Zero(A.rows(), panel_vectors), out(A.rows(), panel_vectors);
  x.leftCols(Y.cols()) = Y;
  symmetric_times_panel(A, x.data(), out.data());
  return out.leftCols(Y.cols());
}

/// Whether B + excess I has positive pivots only.
bool is_positive(const Matrix& band, double excess) {
  const Index n = band.rows();
  Matrix L = Matrix::filled(n, width + 1, 0.0);  // unit lower, with the pivots where ones would be
  for (Index i = 0; i < n; ++i) {
    double row[width + 1], pivot = band(i, 0) + excess;
    for (Index d = std::min(width, i); d >= 1; --d) {
      double entry = band(i, d);
      for (Index e = std::min(width, i); e > d; --e) entry -= row[e] * L(i - d, e - d);
      row[d] = entry;
      L(i, d) = entry / L(i - d, 0);
      pivot -= entry * L(i, d);
    }
    if (!(pivot > 0.0)) return false;
    L(i, 0) = pivot;
  }
  return true;
}

}  // namespace

BandForm::BandForm(MatrixView<double> A) : band_(Matrix::filled(A.rows(), width + 1, 0.0)), reflections_(A.rows()) {
  static_assert(width <= panel_vectors);
  if (A.rows() <= most_tridiagonal) {
    make_tridiagonal(A);
    return;
  }
  Index column = 0;
  while (column < A.rows()) {
    poll_stop();
    reduce(A, column);
  }
  reflections_.finish();
}

void BandForm::make_tridiagonal(MatrixView<const double> A) {
  double largest = 0.0;
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j <= i; ++j) largest = std::max(largest, std::fabs(A(i, j)));
  }
  TridiagonalForm form(A, unit_scale(largest));
  for (Index i = 0; i < size(); ++i) {
    band_(i, 0) = form.diagonal[static_cast<std::size_t>(i)] / unit_scale(largest);
    if (i > 0) band_(i, 1) = form.beside[static_cast<std::size_t>(i - 1)] / unit_scale(largest);
  }
  reflections_ = std::move(form.Q);
}

/// Some panels of `width` columns, and what they do to the rest of A.
void BandForm::reduce(MatrixView<double> A, Index& column) {
  const Index n = A.rows(), first = column;
  Pending pending(n - first);
  const auto here = as_eigen(part(A, first, n - first, first, n - first));
  while (column < n && pending.count() + width <= together) {
    const Index at = column - first, cols = std::min(width, n - column), rows = n - first - at, below = rows - cols;
    Columns P = here.block(at, at, rows, cols);
    P.topRows(cols).triangularView<Eigen::StrictlyUpper>().setZero();  // what is there says nothing
    pending.update(at, P);
    Columns R = P.bottomRows(below), Y, T;
    if (below > 0) {
      factorize(R, Y, T);
      // Z = X - Y (Tᵀ Yᵀ X) / 2 with X = A Y T.
      Columns X = times(part(A, column + cols, below, column + cols, below), Y);
      pending.update_product(at + cols, Y, X);
      X = (X * T).eval();
      X.noalias() -= Y * (0.5 * (T.transpose() * (Y.transpose() * X))).eval();
      pending.add(at + cols, Y, X, T);
    }
    for (Index j = 0; j < cols; ++j) {
      for (Index i = j; i < cols; ++i) band_(column + i, i - j) = P(i, j);
      for (Index i = 0; i < std::min(below, j + 1); ++i) band_(column + cols + i, cols + i - j) = R(i, j);
    }
    column += cols;
  }
  if (pending.count() == 0) return;
  const Index start = std::min(width, n - first), left = n - column;
  reflections_.add(first + start, pending.transposed_Y(start), pending.T());
  if (left > 0) pending.update_all(n - first - left, part(A, column, left, column, left));
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

void BandForm::divide(const double* D, double shift, double excess, MatrixView<double> V) const {
  static_assert(width == isa::band_width);
  constexpr Index lanes = isa::band_lanes;
  const Index n = size(), length = (n + width) * lanes, groups = (V.cols() + lanes - 1) / lanes;
  const double norm_of_B = norm();
  const Index workers = max_workers();
  Buffer<double> x(checked_product(workers, length)), right(checked_product(workers, n * lanes)),
      work(checked_product(workers, length * (width + 1)));
  parallel_for(groups, 3e-9 * static_cast<double>(lanes * n), [&](Index group, int worker) {
    const Index first = group * lanes, cols = std::min(lanes, V.cols() - first);
    double scale[lanes] = {}, shifts[lanes], *own = x.data() + worker * length, *numbers = right.data() + worker * n * lanes;
    std::copy_n(D + first, cols, scale);
    for (Index c = 0; c < lanes; ++c) shifts[c] = std::max(excess * scale[c], shift);
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < lanes; ++c) numbers[i * lanes + c] = c < cols ? V(i, first + c) : 0.0;
    }
    dense_ops().divide_by_band(
        {band_.data(), n, scale, shifts, norm_of_B, numbers, own, work.data() + worker * length * (width + 1)});
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < cols; ++c) V(i, first + c) = own[(i + width) * lanes + c];
    }
  });
}

bool BandForm::positive(double excess) const { return is_positive(band_, excess); }

}  // namespace gramian
