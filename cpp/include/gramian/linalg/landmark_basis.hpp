// SPDX-License-Identifier: BSD-3-Clause
// Coordinates for functions that are sums of a kernel at landmarks: well-conditioned ones, whatever the landmarks are.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// Coordinates b of the functions sum_j a_j k(c_j, .) over m landmarks: with K_pp = T Tᵀ for the pivots p of an incomplete
/// Cholesky factorization of K = k(C, C), a = T^-T b at the pivots and 0 elsewhere. Then aᵀ K a = |b|^2, and the features of x
/// are T^-1 k(p, x). Landmarks that repeat others, up to rounding, are no pivots: K may be singular, which it is for repeated
/// rows.
///
/// The restricted ridge system (K_mn W K_nm + alpha K) a = K_mn W y becomes (GᵀG + alpha I) b = Gᵀ W^(1/2) y for the features
/// G = W^(1/2) K_np T^-T, a system with the eigenvalues from alpha on that RestrictedInverse preconditions.
class GRAMIAN_API LandmarkBasis {
 public:
  /// K: m x m. tolerance: what is left of the trace when pivots end. O(m k^2) for rank k. Throws std::invalid_argument if K is
  /// not square, not finite, or has a negative number on its diagonal.
  explicit LandmarkBasis(MatrixView<const double> K, double tolerance = 1e-12, std::uint64_t seed = 0);

  Index landmarks() const { return factor_.rows(); }                    ///< m
  Index rank() const { return factor_.cols(); }                         ///< k
  const std::vector<Index>& pivots() const { return pivots_; }          ///< p: k of the landmarks
  MatrixView<const double> features() const { return factor_.view(); }  ///< of the landmarks: m x k, with rows p equal to T
  MatrixView<const double> root() const { return T_.view(); }           ///< T: k x k, lower triangular

  void expand(MatrixView<const double> b, MatrixView<double> a) const;      ///< b: k x r, a: m x r
  void contract(MatrixView<const double> g, MatrixView<double> out) const;  ///< T^-1 g[p] for g: m x r
  void divide(MatrixView<double> g) const;                                  ///< g = T^-1 g for g: k x r, of the pivots only
  void divide_transposed(MatrixView<double> b) const;                       ///< b = T^-T b

 private:
  Matrix factor_, T_;
  std::vector<Index> pivots_;
};

/// SᵀS + FᵀF for the features S of some rows that stand for all, and F of the landmarks: about GᵀG. rows: s x m with rowsᵀ rows ≈
/// K_mn W K_nm, a sketch of W^(1/2) K_nm, as sketched_rows() makes one, or s of its rows that are drawn evenly, times sqrt(n /
/// s). 2 m rows are enough for a sketch. They are overwritten. O(s k^2).
///
/// With a sketch this is what KRILL takes (arXiv 2304.12465), to which the landmarks are added as rows of their own: a function
/// of high frequency is large at few samples, and among them are the landmarks. Falkon (arXiv 1705.10958) takes the landmarks for
/// all samples, and KRILL converges where Falkon does not, as decision 0020 shows.
GRAMIAN_API Matrix restricted_square(const LandmarkBasis& basis, Matrix rows);

/// (square + alpha I)^-1 for a semidefinite matrix that stands for GᵀG in the coordinates of a LandmarkBasis. An alpha below
/// 1e-13 times the trace of the square is rounding there, and counts as that. O(k^3).
class GRAMIAN_API RestrictedInverse final : public Preconditioner {
 public:
  /// square: k x k, of which the lower triangle is read. Throws std::invalid_argument unless alpha is finite and above zero;
  /// NumericalError if the square is not semidefinite, up to rounding.
  RestrictedInverse(MatrixView<const double> square, double alpha);

  Index size() const { return L_.rows(); }
  void apply(MatrixView<const double> R, MatrixView<double> out) const override;

 private:
  Matrix L_;  // L Lᵀ = square + alpha I
};

}  // namespace gramian
