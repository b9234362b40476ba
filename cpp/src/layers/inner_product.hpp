// SPDX-License-Identifier: BSD-3-Clause
// Sums over all entries of a matrix.
#pragma once

#include "gramian/base/view.hpp"

namespace gramian {

/// sum A o B, for matrices of one shape. The same bits for any number of threads.
double inner_product(MatrixView<const double> A, MatrixView<const double> B);

inline double sum_of_squares(MatrixView<const double> A) { return inner_product(A, A); }

}  // namespace gramian
