// SPDX-License-Identifier: BSD-3-Clause
// Triangular systems with hardly any right-hand sides, where reading the matrix is all the work.
#pragma once

#include "gramian/base/view.hpp"

namespace gramian {

/// Whether solve_vectors is the way to solve this: few columns, and a matrix with contiguous rows or columns.
bool solves_vectors(MatrixView<const double> T, MatrixView<const double> B);

/// X = T^-1 B, from the first row on for a lower triangle, from the last one on for an upper one.
void solve_vectors(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X, bool lower);

}  // namespace gramian
