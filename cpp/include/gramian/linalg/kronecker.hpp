// SPDX-License-Identifier: BSD-3-Clause
// Systems with a Kronecker product, solved without forming it: T A k + n lambda A = B for symmetric T: m x m and k: n x n, both
// positive semidefinite. Factor once, then solve for any lambda > 0 and any B: m x n.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// With k = U diag(D) Uᵀ and T = V diag(M) Vᵀ: A = V [(VᵀBU)_ij / (M_i D_j + n lambda)] Uᵀ. O(m^3 + n^3) once, O(mn(m + n)) a
/// solve.
class GRAMIAN_API KroneckerSolver {
 public:
  /// Of T and k the lower triangles are read. Eigenvalues below zero by rounding become zero. Throws std::invalid_argument if a
  /// matrix is not square, not finite or not positive semidefinite.
  KroneckerSolver(MatrixView<const double> T, MatrixView<const double> k);

  /// From eigenpairs that are known: T = V diag(M) Vᵀ, k = U diag(D) Uᵀ; M: m x 1, D: n x 1. They are copied.
  KroneckerSolver(MatrixView<const double> M, MatrixView<const double> V, MatrixView<const double> D, MatrixView<const double> U);

  Index rows() const { return m_; }
  Index cols() const { return n_; }
  MatrixView<const double> T_values() const { return {M_.data(), m_, 1}; }
  MatrixView<const double> T_vectors() const { return {V_.data(), m_, m_}; }
  MatrixView<const double> k_values() const { return {D_.data(), n_, 1}; }
  MatrixView<const double> k_vectors() const { return {U_.data(), n_, n_}; }

  /// T A k + n lambda A = B; A, B: m x n. A may be B. Throws std::invalid_argument if shapes disagree or unless lambda > 0.
  void solve(double lambda, MatrixView<const double> B, MatrixView<double> A) const;
  /// The same for B = I, which takes m = n.
  void solve_identity(double lambda, MatrixView<double> A) const;

  // The three steps of a solve: a path of lambdas needs the first one once, and often not the last one. Arguments may be the
  // same.
  void rotate(MatrixView<const double> B, MatrixView<double> rotated) const;                       ///< VᵀBU
  void divide(double lambda, MatrixView<const double> rotated, MatrixView<double> divided) const;  ///< by M_i D_j + n lambda
  void rotate_back(MatrixView<const double> divided, MatrixView<double> A) const;                  ///< V (divided) Uᵀ

 private:
  Index m_;
  Index n_;
  Buffer<double> M_;
  Buffer<double> V_;
  Buffer<double> D_;
  Buffer<double> U_;
};

}  // namespace gramian
