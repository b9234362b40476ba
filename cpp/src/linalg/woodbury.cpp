// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/woodbury.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "linalg/semidefinite.hpp"
#include "linalg/small.hpp"

namespace gramian {

/// With D = diag(d), C = F Fᵀ and W = D^(-1/2) U F: A = D^(1/2) (I + W Wᵀ) D^(1/2), and I + WᵀW is as well conditioned as A
/// allows.
struct Woodbury::Factors {
  Factors(const Eigen::VectorXd& d, MatrixView<const double> U) : root(d.cwiseSqrt()), inverse_root(root.cwiseInverse()), W(U) {}

  void factorize() {
    W.scale_rows(inverse_root.data());
    SmallMatrix inner = cross(W, W);
    inner.diagonal().array() += 1.0;
    if (!inner.allFinite()) throw NumericalError("the low-rank part is too large beside the diagonal: their quotient overflows");
    factor.compute(Eigen::MatrixXd(inner));
    if (factor.info() != Eigen::Success) {
      throw NumericalError("I + WᵀW of size " + std::to_string(W.cols()) + " could not be factorized: make the diagonal larger");
    }
  }

  /// (I + W Wᵀ)^-1 B = B - W (I + WᵀW)^-1 WᵀB
  ColumnBlocks solve(const ColumnBlocks& B) const {
    ColumnBlocks X = copy(B);
    const Eigen::MatrixXd inside = factor.solve(Eigen::MatrixXd(cross(W, B)));
    add_product(W, {0, W.cols()}, -inside, X, {0, X.cols()});
    return X;
  }

  /// B - (I + W Wᵀ) X
  ColumnBlocks residual(const ColumnBlocks& B, const ColumnBlocks& X) const {
    ColumnBlocks R = copy(B);
    add_to(R, -1.0, X);
    add_product(W, {0, W.cols()}, -cross(W, X), R, {0, R.cols()});
    return R;
  }

  static ColumnBlocks copy(const ColumnBlocks& A) {
    ColumnBlocks result(A.rows(), A.cols());
    add_to(result, 1.0, A);
    return result;
  }

  static void add_to(ColumnBlocks& sum, double factor, const ColumnBlocks& A) {
    for (Index t = 0; t < A.blocks(); ++t) {
      double* out = sum.column(t, 0);
      const double* in = A.column(t, 0);
      for (Index i = 0; i < A.cols() * ColumnBlocks::block_rows; ++i) out[i] += factor * in[i];
    }
  }

  Eigen::VectorXd root;
  Eigen::VectorXd inverse_root;
  ColumnBlocks W;
  Eigen::LLT<Eigen::MatrixXd> factor;
};

namespace {

Eigen::VectorXd checked_diagonal(MatrixView<const double> d, Index rows) {
  require_shape(d, rows, 1, "d");
  for (Index i = 0; i < rows; ++i) require(std::isfinite(d(i, 0)) && d(i, 0) > 0.0, "d must hold finite numbers greater than 0");
  return as_eigen(d).col(0);
}

/// F with C = F Fᵀ
SmallMatrix root_of(MatrixView<const double> C, Index size) {
  require_shape(C, size, size, "C");
  require_finite(C, "C");
  SmallEigen eigen = small_eigen(Eigen::MatrixXd(as_eigen(C)));
  clamp_eigenvalues({eigen.values.data(), size, 1}, rounding_of(size), "C");
  return eigen.vectors * eigen.values.cwiseSqrt().asDiagonal();
}

}  // namespace

Woodbury::Woodbury(MatrixView<const double> U, double lambda) {
  require_positive(lambda, "lambda");
  require_finite(U, "U");
  factors_ = std::make_unique<Factors>(Eigen::VectorXd::Constant(U.rows(), lambda), U);
  factors_->factorize();
}

Woodbury::Woodbury(MatrixView<const double> d, MatrixView<const double> U) {
  require_finite(U, "U");
  factors_ = std::make_unique<Factors>(checked_diagonal(d, U.rows()), U);
  factors_->factorize();
}

Woodbury::Woodbury(MatrixView<const double> d, MatrixView<const double> U, MatrixView<const double> C) {
  require_finite(U, "U");
  factors_ = std::make_unique<Factors>(checked_diagonal(d, U.rows()), U);
  factors_->W = product(factors_->W, root_of(C, U.cols()));
  factors_->factorize();
}

Woodbury::~Woodbury() = default;
Woodbury::Woodbury(Woodbury&&) noexcept = default;
Woodbury& Woodbury::operator=(Woodbury&&) noexcept = default;

Index Woodbury::size() const { return factors_->W.rows(); }

void Woodbury::solve(MatrixView<const double> B, MatrixView<double> X) const {
  require_rows(B.rows(), B.cols(), size(), "B");
  require_shape(X, B.rows(), B.cols(), "X");
  if (B.empty()) return;
  ColumnBlocks right(B);
  right.scale_rows(factors_->inverse_root.data());
  ColumnBlocks x = factors_->solve(right);
  Factors::add_to(x, 1.0, factors_->solve(factors_->residual(right, x)));
  x.scale_rows(factors_->inverse_root.data());
  x.write(X);
}

double Woodbury::log_determinant() const {
  double sum = 0.0;
  for (Index i = 0; i < size(); ++i) sum += 2.0 * std::log(factors_->root(i));
  for (Index i = 0; i < factors_->W.cols(); ++i) sum += 2.0 * std::log(factors_->factor.matrixLLT()(i, i));
  return sum;
}

}  // namespace gramian
