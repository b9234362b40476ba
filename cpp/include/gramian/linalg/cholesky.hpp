// SPDX-License-Identifier: BSD-3-Clause
// Cholesky factorization A = L Lᵀ with checks: success means that every pivot is positive and finite.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A matrix that is positive definite only up to rounding gets a multiple of the identity added: jitter = u 10^k mean(diag A) for
/// k = 1 .. 6 with u = 2^-53, then max_jitter mean(diag A); the first one that works, and none above max_jitter mean(diag A).
struct CholeskyOptions {
  double max_jitter = 1e-8;  ///< relative to the mean of the diagonal; 0: no jitter

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_jitter", &CholeskyOptions::max_jitter);
  }
};

/// How the factorization of one matrix of a batch ended.
enum class FactorStatus : int {
  ok = 0,
  jittered = 1,      ///< factorized with jitter on the diagonal
  not_positive = 2,  ///< not positive definite, with the largest jitter allowed
  not_finite = 3     ///< the lower triangle has NaN or infinity
};

/// L, lower triangular with zeros above, of A + jitter I; returns the jitter, 0 if none was needed.
///
/// A, L: n x n, any strides; the lower triangle of A is used. L may be A itself, or else must not overlap it. n^3 / 3 operations,
/// n^2 / 2 numbers of workspace. Throws std::invalid_argument for a shape that does not fit or an entry that is not finite,
/// NumericalError if A is not positive definite with the largest jitter allowed, MemoryLimitError. Then L is left as it was.
GRAMIAN_API double cholesky(MatrixView<const double> A, MatrixView<double> L, const CholeskyOptions& options = {});

/// A becomes its factor L, with zeros above the diagonal; the same as cholesky(A, A).
GRAMIAN_API double cholesky_in_place(MatrixView<double> A, const CholeskyOptions& options = {});

/// log det(L Lᵀ) = 2 sum log L(i, i). O(n).
GRAMIAN_API double log_determinant(MatrixView<const double> L);

/// B = (L Lᵀ)^-1 B in place. L: n x n lower triangular, what is above is not used; B: n x m, any strides. 2 n^2 m operations.
/// Throws std::invalid_argument for shapes that do not fit, NumericalError for a zero on the diagonal.
GRAMIAN_API void cholesky_solve(MatrixView<const double> L, MatrixView<double> B);

/// X = (L Lᵀ)^-1 B; X is B itself or does not overlap it.
GRAMIAN_API void cholesky_solve(MatrixView<const double> L, MatrixView<const double> B, MatrixView<double> X);

/// The diagonal of (L Lᵀ)^-1: out(i) = sum_k (L^-1)(k, i)^2, n numbers. n^3 / 2 operations, n times 192 numbers of workspace.
GRAMIAN_API void inverse_diagonal(MatrixView<const double> L, double* out);

/// Factor once, solve often: owns the factor of A + jitter I. Throws as cholesky() does.
class GRAMIAN_API Cholesky {
 public:
  explicit Cholesky(MatrixView<const double> A, const CholeskyOptions& options = {});

  Index size() const { return size_; }
  double jitter() const { return jitter_; }
  MatrixView<const double> factor() const { return {numbers_.data(), size_, size_}; }  ///< L, row-major, zeros above

  double log_determinant() const;
  void solve(MatrixView<double> B) const;                   ///< B = (A + jitter I)^-1 B
  void solve_lower(MatrixView<double> B) const;             ///< B = L^-1 B
  void solve_lower_transposed(MatrixView<double> B) const;  ///< B = L^-T B
  void inverse_diagonal(double* out) const;                 ///< the diagonal of (A + jitter I)^-1

 private:
  Index size_;
  Buffer<double> numbers_;
  double jitter_;
};

}  // namespace gramian
