// SPDX-License-Identifier: BSD-3-Clause
// What the exact solvers have in common: checks, and k = U diag(D) Uᵀ with what follows from it.
#pragma once

#include "gramian/ovk/separable_ridge.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {

/// Throws std::invalid_argument unless epsilon, if there is one, is greater than 0.
void check_operator(const DependencyOperator& kind);
void check_problem(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind);
/// For so many n x n matrices.
void require_square_memory(Index n, Index matrices);

/// n lambda: [KDE] (8) has the 1/n of its covariance there. The identity has it too, so that lambda means the same for all.
double shift_of(double lambda, Index n);

/// A B
Matrix times(MatrixView<const double> A, MatrixView<const double> B);

/// p with entries of A / 2^p of about 1 where those of A are so large or small that powers of them are no numbers; 0 elsewhere.
int power_beyond(MatrixView<const double> A);

/// [KDE] Prop. 1: T = L - (k + n epsilon I)^-1 k L = S L. sqrt(n epsilon / (D_j + n epsilon)), the spectrum of S^½: n x 1.
Matrix roots_of(const Matrix& D, double epsilon);
/// At least the norm of S^½ L S^½ before anything cancels: what its rounding is relative to.
double scale_of(MatrixView<const double> L, const Matrix& root);
/// diag(root) Uᵀ L U diag(root), exactly symmetric.
Matrix in_basis(MatrixView<const double> L, const Matrix& U, const Matrix& root);

/// Throws NumericalError if one is not finite.
void require_finite_coefficients(MatrixView<const double> C);

/// Eigenvalues of k up to here are zero but for rounding, and at such a shift their eigenvectors carry nothing but rounding: in
/// exact arithmetic inputs have no part there. -1 if there are none, or if the shift is far above rounding.
double null_up_to(const Matrix& D, double shift);
/// Whether a shift is so close to the rounding of k that eigenvalues have to say which ones are zero.
bool near_rounding(MatrixView<const double> k, double shift);

/// out = (k + shift I)^-1; false if rounding makes that indefinite: then it takes an eigendecomposition.
bool inverse_with_shift(MatrixView<const double> k, double shift, MatrixView<double> out);

}  // namespace gramian
