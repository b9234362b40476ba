// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression as in separable_ridge.hpp, from factors of both Gram matrices: k ≈ Uc Ucᵀ, L ≈ Vc Vcᵀ.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/ovk/separable_ridge.hpp"

namespace gramian {

/// Uc: n x m1, Vc: n x m2. What the factors drop is dropped of k_x and of L_y too, k_x = Uc u_x and L_y = Vc v_y, and inner
/// products of predictions with candidates are v_yᵀ G u_x, G: m2 x m1. [KDE] (15) keeps k_x and L_y as they are, and what it
/// drops of k and L alone comes back multiplied by 1 / (n lambda).
///
/// UcᵀUc = Pu diag(a) Puᵀ, VcᵀSVc = Pv diag(b) Pvᵀ, S of the operator: O(n (m1^2 + m2^2 + m1 m2) + m1^3 + m2^3) once.
class GRAMIAN_API LowRankRidge {
 public:
  /// Views of Uc and Vc are kept: what they show must outlive this. Throws std::invalid_argument if rows disagree, there are none
  /// of them, an entry is not finite, or options are out of their range.
  LowRankRidge(MatrixView<const double> Uc, MatrixView<const double> Vc, const DependencyOperator& kind);

  Index size() const { return Uc_.rows(); }
  Index input_rank() const { return Uc_.cols(); }
  Index output_rank() const { return Vc_.cols(); }

  /// G = Pv [(b_i (PvᵀVcᵀUcPu)_ij) / (b_i a_j + n lambda)] Puᵀ. O(m1 m2 (m1 + m2)). For the identity 1 is in place of b, lambda
  /// of n lambda.
  void coefficients(double lambda, MatrixView<double> G) const;

  /// errors: n x 1, |Vcᵀe_i - prediction of it without sample i|^2, operator and n lambda held: what can be predicted at all of
  /// |Phi(y_i) - g_i(x_i)|^2; the rest, L_ii - |Vcᵀe_i|^2, is the same for all lambdas. O(n m1 m2).
  void leave_one_out(double lambda, MatrixView<double> errors) const;

 private:
  Matrix divided(double lambda) const;

  DependencyOperator kind_;
  MatrixView<const double> Uc_;
  MatrixView<const double> Vc_;
  KroneckerForm form_;  // b, Pv, a, Pu; of the identity b is 1, and Pv, the identity matrix, is empty
  Matrix rotated_;      // b_i (PvᵀVcᵀUcPu)_ij
};

}  // namespace gramian
