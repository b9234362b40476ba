// SPDX-License-Identifier: BSD-3-Clause
// Approximate inverses: of a diagonal plus a matrix of low rank, and of a diagonal.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// (F Fᵀ + D)^-1 for F: n x m and a positive diagonal D, factored once. With Q R the QR factorization of [D^(-1/2) F; I], of
/// which Q has the first n rows, it is D^(-1/2) (I - Q Qᵀ) D^(-1/2): columns that are orthonormal keep it positive definite where
/// I + Fᵀ D^-1 F is too ill-conditioned to be solved with. D is
/// multiplied by 1e-14 trace(Fᵀ D^-1 F) where that is above 1: what lies below is rounding of F.
///
/// To make it takes 3 n m^2 operations, 5 n m^2 where F Fᵀ is above 1e6 D, and n m + 2 m^2 numbers; apply() takes 4 n m r.
class GRAMIAN_API LowRankInverse final : public Preconditioner {
 public:
  /// D = shift I, shift > 0. F is copied. Throws std::invalid_argument for a shift that is not above zero, or an entry that is
  /// not finite; NumericalError if D^(-1/2) F overflows; MemoryLimitError.
  LowRankInverse(MatrixView<const double> F, double shift);
  /// D = diag(shifts), shifts: n x 1.
  LowRankInverse(MatrixView<const double> F, MatrixView<const double> shifts);

  Index size() const { return Q_.rows(); }
  Index rank() const { return Q_.cols(); }
  void apply(MatrixView<const double> R, MatrixView<double> out) const override;

 private:
  void factorize(MatrixView<const double> F);
  Matrix roots_;  // of 1 / D: n x 1
  Matrix Q_;      // n x m
};

/// diag(d)^-1 for d: n x 1, all above zero.
class GRAMIAN_API JacobiInverse final : public Preconditioner {
 public:
  /// Throws std::invalid_argument for an entry that is not a finite number above zero.
  explicit JacobiInverse(MatrixView<const double> d);
  Index size() const { return inverse_.rows(); }
  void apply(MatrixView<const double> R, MatrixView<double> out) const override;

 private:
  Matrix inverse_;
};

}  // namespace gramian
