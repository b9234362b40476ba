// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression into the feature space of an output kernel, with an operator-valued kernel k(x, x') C: [KDE] (3), (8),
// exactly.
#pragma once

#include "gramian/base/matrix.hpp"

namespace gramian {

/// C: the identity, C_YY of [KDE] (6), or C_YY|X of (7). C_YY is not centred.
enum class DependencyOperator { identity, covariance, conditional };

struct OperatorOptions {
  DependencyOperator kind = DependencyOperator::covariance;
  double epsilon = 1e-2;  ///< of the conditional covariance: greater than 0
};

/// The coefficients for one lambda: g(x) = sum_j (C k_x)_j l(y_j, .), scores l(y, y) - 2 L_yᵀ C k_x.
///
///   identity:    C = (k + lambda I)^-1
///   otherwise:   C = T A,  T A k + n lambda A = I,  T = L or n epsilon (k + n epsilon I)^-1 L
///
/// k, L, C: n x n. One eigendecomposition, of k (Cholesky for the identity), and a reduction of L to a band. O(n^3).
/// Throws std::invalid_argument if shapes disagree, a matrix is not finite, or k is not positive semi-definite; lambda <= 0.
GRAMIAN_API void separable_ridge(MatrixView<const double> k, MatrixView<const double> L, const OperatorOptions& options,
                                 double lambda, MatrixView<double> C);

/// The same for any number of lambdas after two eigendecompositions (the identity: one).
class GRAMIAN_API SeparableRidge {
 public:
  SeparableRidge(MatrixView<const double> k, MatrixView<const double> L, const OperatorOptions& options);

  Index size() const { return U_.rows(); }
  /// C as above. O(n^3) products.
  void coefficients(double lambda, MatrixView<double> C) const;
  /// weights = cross Cᵀ, q x n, for cross: q x n with k(new, x). rotated = cross U is formed once for all lambdas.
  void rotate(MatrixView<const double> cross, MatrixView<double> rotated) const;
  void weights(double lambda, MatrixView<const double> rotated, MatrixView<double> weights) const;

  /// errors: n x 1, |Phi(y_i) - g_i(x_i)|^2 for g_i fitted without sample i, operator and n lambda held. O(n^3) products.
  void leave_one_out(double lambda, MatrixView<double> errors) const;
  /// inner(c, i) = <Phi(y_c), g_i(x_i)>: n x n, what sample c scores as a candidate for sample i.
  void leave_one_out(double lambda, MatrixView<double> errors, MatrixView<double> inner) const;

 private:
  Matrix divided(double lambda) const;
  void leave_one_out_residuals(double lambda, Matrix& R, Matrix& residuals) const;
  void leave_one_out_identity(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const;
  void leave_one_out(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const;

  DependencyOperator kind_;
  Matrix D_;     // n x 1: k = U diag(D) Uᵀ
  Matrix U_;     //
  Matrix root_;  // n x 1: S = U diag(root^2) Uᵀ; all below are empty for the identity
  Matrix M_;     // n x 1: S^½ L S^½ = (U Q) diag(M) (U Q)ᵀ
  Matrix Q_;     //
  Matrix P_;     // S^½ U Q
  Matrix L_;     // of the identity alone
};

}  // namespace gramian
