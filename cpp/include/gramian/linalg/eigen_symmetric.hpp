// SPDX-License-Identifier: BSD-3-Clause
// All eigenvalues and eigenvectors of a symmetric matrix.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// The order of eigenvalues and their eigenvectors.
enum class EigenOrder { ascending, descending };

/// A = V diag(values) Vᵀ for a symmetric A: n x n, of which the lower triangle is read, values: n x 1, V: n x n, eigenvectors in
/// columns, the entry of largest magnitude of each of them positive. 4/3 n^3 operations for a tridiagonal form, up to 4/3 n^3 for
/// its eigenvectors, 2 n^3 for the way back; workspace 6 n^2 numbers. Any number of threads gives the same bits. A is left as it
/// is and may overlap V. Throws std::invalid_argument if shapes disagree or an entry is not finite, NumericalError if the
/// iteration does not converge.
GRAMIAN_API void eigen_symmetric(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V,
                                 EigenOrder order = EigenOrder::ascending);

/// Turns each column so that its entry of largest magnitude, the first one of equals, is positive.
GRAMIAN_API void fix_signs(MatrixView<double> V);

}  // namespace gramian
