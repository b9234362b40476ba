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

/// The same in factors, k = Uc Ucᵀ with Uc: n x p and T = S Vc Vcᵀ with S Vc and Vc: n x q, S symmetric: X: q x p with
/// T A Uc = S Vc X, where A solves T A k + n lambda A = I: T A k_x = S Vc X u_x for k_x = Uc u_x.
/// O(n (p^2 + q^2) + p^3 + q^3) once, O(pq(p + q)) a solve.
class GRAMIAN_API LowRankKroneckerSolver {
 public:
  /// S = I. Throws std::invalid_argument if rows disagree or an entry is not finite.
  LowRankKroneckerSolver(MatrixView<const double> Vc, MatrixView<const double> Uc);
  LowRankKroneckerSolver(MatrixView<const double> Vc, MatrixView<const double> SVc, MatrixView<const double> Uc);

  /// From what is known: UcᵀUc = Pu diag(a) Puᵀ, VcᵀSVc = Pv diag(b) Pvᵀ, rotated = Pvᵀ Vcᵀ Uc Pu, n; a: p x 1, b: q x 1. They
  /// are copied. An empty Pv is the identity.
  LowRankKroneckerSolver(MatrixView<const double> b, MatrixView<const double> Pv, MatrixView<const double> a,
                         MatrixView<const double> Pu, MatrixView<const double> rotated, Index n);

  Index rows() const { return q_; }
  Index cols() const { return p_; }
  MatrixView<const double> k_values() const { return {a_.data(), p_, 1}; }     ///< a
  MatrixView<const double> k_vectors() const { return {Pu_.data(), p_, p_}; }  ///< Pu
  MatrixView<const double> T_values() const { return {b_.data(), q_, 1}; }     ///< b
  MatrixView<const double> T_vectors() const {                                 ///< Pv; empty: the identity
    return Pv_.size() > 0 ? MatrixView<const double>(Pv_.data(), q_, q_) : MatrixView<const double>();
  }

  /// X = Pv [rotated_ij / (b_i a_j + n lambda)] Puᵀ.
  void solve(double lambda, MatrixView<double> X) const;
  void divide(double lambda, MatrixView<double> divided) const;  ///< the part in brackets

 private:
  Index n_;
  Index q_;
  Index p_;
  Buffer<double> a_;
  Buffer<double> Pu_;
  Buffer<double> b_;
  Buffer<double> Pv_;
  Buffer<double> rotated_;
};

}  // namespace gramian
