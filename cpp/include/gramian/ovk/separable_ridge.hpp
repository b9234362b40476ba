// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression into the feature space of an output kernel, with an operator-valued kernel k(x, x') C: [KDE] (3), (8),
// exactly.
#pragma once

#include <variant>

#include "gramian/base/matrix.hpp"
#include "gramian/linalg/kronecker.hpp"

namespace gramian {

struct IdentityOperator {};
struct CovarianceOperator {};  ///< C_YY of [KDE] (6), not centred
/// C_YY|X of [KDE] (7)
struct ConditionalOperator {
  double epsilon = 1e-2;  ///< greater than 0; it is multiplied by n

  template <class Visit>
  static void fields(Visit visit) {
    visit("epsilon", &ConditionalOperator::epsilon);
  }
};
using DependencyOperator = std::variant<ConditionalOperator, CovarianceOperator, IdentityOperator>;

/// The coefficients for one lambda: g(x) = sum_j (C k_x)_j l(y_j, .), scores l(y, y) - 2 L_yᵀ C k_x.
///
///   identity:    C = (k + n lambda I)^-1
///   otherwise:   C = T A,  T A k + n lambda A = I,  T = L or n epsilon (k + n epsilon I)^-1 L
///
/// Where n lambda is so small that rounding of k could be taken for inputs, eigenvalues that k does not tell from zero are left
/// out of C: C k_x is the same without rounding, for any lambda.
///
/// k, L, C: n x n. One eigendecomposition, of k (Cholesky for the identity), and a reduction of L to a band. O(n^3).
/// Throws std::invalid_argument if shapes disagree, a matrix is not finite, or k is not positive semi-definite; lambda <= 0.
GRAMIAN_API void separable_ridge(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind,
                                 double lambda, MatrixView<double> C);

/// The same for any number of lambdas after two eigendecompositions (the identity: one).
class GRAMIAN_API SeparableRidge {
 public:
  SeparableRidge(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind);

  Index size() const { return form_.right.rows(); }
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
  bool identity() const { return std::holds_alternative<IdentityOperator>(kind_); }
  Matrix divided(double shift) const;
  double null_at(double shift) const;         // eigenvalues of k up to here are rounding; -1: none
  Matrix inverse_values(double shift) const;  // of the identity, n x 1
  void leave_one_out_residuals(double lambda, Matrix& R, Matrix& residuals) const;
  void leave_one_out_identity(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const;
  void leave_one_out(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const;

  DependencyOperator kind_;
  // k = U diag(D) Uᵀ, S^½ L S^½ = (U Q) diag(M) (U Q)ᵀ, C = P [M_i (Qᵀ S^-½)_ij / (M_i D_j + n lambda)] Uᵀ with P = S^½ U Q:
  // of the identity U and D, and L; nothing else.
  KroneckerForm form_;  // M, P, D, U
  Matrix root_;         // n x 1: S = U diag(root^2) Uᵀ
  Matrix Q_;
  Matrix L_;
};

}  // namespace gramian
