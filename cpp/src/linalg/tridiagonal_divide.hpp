// SPDX-License-Identifier: BSD-3-Clause
// All eigenpairs of a tridiagonal matrix by divide and conquer: most of the work are products of matrices.
#pragma once

#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// T has `diagonal` and `beside` it one number less, about 1 in magnitude. On return `diagonal` holds the eigenvalues in no
/// order. The result has their vectors in its first n columns; what further columns hold says nothing. O(n^3), less where
/// eigenvalues or vectors of parts serve the whole. Throws NumericalError if an iteration does not converge.
GRAMIAN_API Matrix tridiagonal_divide(std::vector<double>& diagonal, std::vector<double>& beside);

}  // namespace gramian
