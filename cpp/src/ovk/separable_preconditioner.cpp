// SPDX-License-Identifier: BSD-3-Clause
#include "ovk/separable_preconditioner.hpp"

#include <algorithm>
#include <vector>

#include "gramian/gram/low_rank.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/kronecker.hpp"
#include "gramian/linalg/low_rank_inverse.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {
namespace {

constexpr Index few_points = 64;  // these are factorized whole

/// W = F V for FᵀF = V diag(s) Vᵀ: (a F Fᵀ + lambda I)^-1 = (I - W diag(a / (a s + lambda)) Wᵀ) / lambda.
class LowRank final : public OperatorPreconditioner {
 public:
  LowRank(const IncompleteCholesky& F, const OutputOperator& A, double lambda) : A_(A), lambda_(lambda) {
    Matrix square(F.rank(), F.rank()), V;
    gemm_symmetric(1.0, transposed(F.factor()), 0.0, square.view());
    decompose(square.view(), form_.M, V, "FᵀF");
    form_.left = Matrix(F.factor().rows(), F.rank());
    gemm(1.0, F.factor(), V.view(), 0.0, form_.left.view());
    form_.D = Matrix::copy_of({A.eigenvalues().data(), A.size(), 1});
  }

  void apply(MatrixView<const double> V, MatrixView<double> out) const override {
    const bool full = A_.form() == OutputOperator::Form::full;
    const Matrix& W = form_.left;
    Matrix turned = Matrix::copy_of(V), inner(W.cols(), V.cols());
    if (full) gemm(1.0, V, A_.eigenvectors().view(), 0.0, turned.view());
    gemm(1.0, transposed(W.view()), turned.view(), 0.0, inner.view());
    for (Index r = 0; r < inner.rows(); ++r) {
      for (Index j = 0; j < inner.cols(); ++j) inner(r, j) *= form_.D(j, 0);
    }
    form_.divide(lambda_, inner.view(), inner.view());
    gemm(-1.0, W.view(), inner.view(), 1.0, turned.view());
    if (full) return gemm(1.0 / lambda_, turned.view(), transposed(A_.eigenvectors().view()), 0.0, out);
    for (Index i = 0; i < turned.rows(); ++i) {
      for (Index j = 0; j < turned.cols(); ++j) out(i, j) = turned(i, j) / lambda_;
    }
  }

 private:
  OutputOperator A_;
  double lambda_;
  KroneckerForm form_;
};

/// The same for A = I: a factorization of F Fᵀ + lambda I, which takes less time.
class ScalarLowRank final : public OperatorPreconditioner {
 public:
  ScalarLowRank(const IncompleteCholesky& F, double lambda) : inverse_(F.factor(), lambda) {}
  void apply(MatrixView<const double> V, MatrixView<double> out) const override { inverse_.apply(V, out); }

 private:
  LowRankInverse inverse_;
};

/// The factor that K ⊗ A + lambda I needs: that of k + (lambda / |A|) I.
IncompleteCholesky factor_of(const Kernel& k, const Points& X, double shift) {
  return X.size() <= few_points ? incomplete_cholesky(k, X) : adaptive_factor(k, X, shift);
}

}  // namespace

std::unique_ptr<OperatorPreconditioner> separable_preconditioner(const Kernel& k, const OutputOperator& A, const Points& X,
                                                                 double lambda) {
  const std::vector<double>& values = A.eigenvalues();
  const double largest = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  if (!(largest > 0.0)) return nullptr;
  const IncompleteCholesky F = factor_of(k, X, lambda / largest);
  if (F.rank() == 0) return nullptr;
  if (A.form() == OutputOperator::Form::identity) return std::make_unique<ScalarLowRank>(F, lambda);
  return std::make_unique<LowRank>(F, A, lambda);
}

}  // namespace gramian
