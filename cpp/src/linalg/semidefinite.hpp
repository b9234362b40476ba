// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices that should have no negative eigenvalue: where rounding ends, and where a mistake begins.
#pragma once

#include "gramian/base/matrix.hpp"

namespace gramian {

/// Relative to a norm, what is no eigenvalue but rounding, of a matrix with n rows that is exact.
double rounding_of(Index n);

/// How far below zero an eigenvalue of a matrix that somebody computed may be, relative to the largest one: far above what
/// float32 or a text leaves, far below a mistake.
constexpr double gram_defect = 1e-6;

/// Eigenvalues from -defect * scale to 0 become 0, where scale is the largest in magnitude, or the one that is given if that is
/// larger. Throws std::invalid_argument naming the matrix for those that are further below.
void clamp_eigenvalues(MatrixView<double> values, double defect, const char* name, double scale = 0.0);

/// A = vectors diag(values) vectorsᵀ for a Gram matrix that somebody computed, its values clamped with gram_defect. A's entries
/// carry the rounding of `scale`.
void decompose(MatrixView<const double> A, Matrix& values, Matrix& vectors, const char* name, double scale = 0.0);

/// Throws std::invalid_argument unless A is positive semidefinite as decompose() has it, in n^3 / 3 operations.
void require_semidefinite(MatrixView<const double> A, const char* name);

/// The largest sum of magnitudes in a row: a bound for all eigenvalues of a symmetric matrix.
double largest_row(MatrixView<const double> A);

}  // namespace gramian
