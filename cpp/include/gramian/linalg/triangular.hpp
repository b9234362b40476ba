// SPDX-License-Identifier: BSD-3-Clause
// Triangular systems with one or many right-hand sides, in place.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// T: n x n, B: n x m, any strides, not overlapping. The other triangle of T is not used. n^2 m operations. Up to 96 right-hand
/// sides T is read once where it is, beyond it is copied (n^2 / 2 numbers). Any number of threads gives the same bits; how many
/// columns B has may change the last ones. Throws std::invalid_argument for shapes that do not fit and for NaN on the diagonal,
/// NumericalError if a diagonal entry is zero.
GRAMIAN_API void solve_lower(MatrixView<const double> T, MatrixView<double> B);             ///< B = T^-1 B, T lower triangular
GRAMIAN_API void solve_lower_transposed(MatrixView<const double> T, MatrixView<double> B);  ///< B = T^-T B, T lower triangular
GRAMIAN_API void solve_upper(MatrixView<const double> T, MatrixView<double> B);             ///< B = T^-1 B, T upper triangular
GRAMIAN_API void solve_upper_transposed(MatrixView<const double> T, MatrixView<double> B);  ///< B = T^-T B, T upper triangular

/// The same with the solution in X: n x m, which is B itself or does not overlap it.
GRAMIAN_API void solve_lower(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X);
GRAMIAN_API void solve_lower_transposed(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X);
GRAMIAN_API void solve_upper(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X);
GRAMIAN_API void solve_upper_transposed(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X);

}  // namespace gramian
