// SPDX-License-Identifier: BSD-3-Clause
// Systems with a Kronecker product, solved without forming it: T A k + n lambda A = B for symmetric T: m x m and k: n x n, both
// positive semidefinite. Factor once, then solve for any lambda > 0 and any B: m x n.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// left [middle_ij / (M_i D_j + shift)] rightᵀ for any shift > 0: a solution as below, and what products make of one.
struct GRAMIAN_API KroneckerForm {
  Matrix M;      ///< m x 1, at least 0
  Matrix left;   ///< any number of rows, m columns; empty: the identity
  Matrix D;      ///< n x 1, at least 0
  Matrix right;  ///< any number of rows, n columns; empty: the identity

  /// By M_i D_j + shift; divided may be middle. Throws std::invalid_argument if shapes disagree, as multiply() does.
  void divide(double shift, MatrixView<const double> middle, MatrixView<double> divided) const;
  /// left (divided) rightᵀ; out may be divided.
  void multiply(MatrixView<const double> divided, MatrixView<double> out) const;
};

/// With k = U diag(D) Uᵀ and T = V diag(M) Vᵀ: A = V [(VᵀBU)_ij / (M_i D_j + n lambda)] Uᵀ. O(m^3 + n^3) once, O(mn(m + n)) a
/// solve.
class GRAMIAN_API KroneckerSolver {
 public:
  /// Of T and k the lower triangles are read. Eigenvalues below zero by rounding become zero. Throws std::invalid_argument if a
  /// matrix is not square, not finite or not positive semidefinite.
  KroneckerSolver(MatrixView<const double> T, MatrixView<const double> k);

  /// From eigenpairs that are known: T = V diag(M) Vᵀ, k = U diag(D) Uᵀ; M: m x 1, D: n x 1. They are copied.
  KroneckerSolver(MatrixView<const double> M, MatrixView<const double> V, MatrixView<const double> D, MatrixView<const double> U);

  Index rows() const { return form_.M.rows(); }
  Index cols() const { return form_.D.rows(); }
  MatrixView<const double> T_values() const { return form_.M.view(); }
  MatrixView<const double> T_vectors() const { return form_.left.view(); }
  MatrixView<const double> k_values() const { return form_.D.view(); }
  MatrixView<const double> k_vectors() const { return form_.right.view(); }

  /// T A k + n lambda A = B; A, B: m x n. A may be B. Throws std::invalid_argument if shapes disagree or unless lambda > 0.
  void solve(double lambda, MatrixView<const double> B, MatrixView<double> A) const;
  /// The same for B = I, which takes m = n.
  void solve_identity(double lambda, MatrixView<double> A) const;

  /// The three steps of a solve: a path of lambdas needs the first one once, and often not the last one. Arguments may be the
  /// same.
  void rotate(MatrixView<const double> B, MatrixView<double> rotated) const;                       ///< VᵀBU
  void divide(double lambda, MatrixView<const double> rotated, MatrixView<double> divided) const;  ///< by M_i D_j + n lambda
  void rotate_back(MatrixView<const double> divided, MatrixView<double> A) const;                  ///< V (divided) Uᵀ

 private:
  KroneckerForm form_;
};

}  // namespace gramian
