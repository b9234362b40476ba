// SPDX-License-Identifier: BSD-3-Clause
// Products of tall matrices with small ones, block of rows by block of rows: no copy of a tall matrix, whose fresh memory would
// cost more than the product. Any strides; the same bits for any number of threads.
#pragma once

#include "linalg/column_blocks.hpp"

namespace gramian {

/// AᵀB
SmallMatrix tall_cross(MatrixView<const double> A, MatrixView<const double> B);

/// out = A C; out may be A.
void tall_product(MatrixView<const double> A, const SmallMatrix& C, MatrixView<double> out);

/// out = Z + A C; out may be A or Z.
void tall_product(MatrixView<const double> A, const SmallMatrix& C, MatrixView<const double> Z, MatrixView<double> out);

/// Each column less its mean; out may be A.
void centre_columns(MatrixView<const double> A, MatrixView<double> out);

}  // namespace gramian
