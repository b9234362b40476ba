// SPDX-License-Identifier: BSD-3-Clause
// Products of dense matrices. A transposed factor is a view with its strides swapped.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// C = alpha A B + beta C for A: m x k, B: k x n, C: m x n, any strides; C must not overlap A or B.
///
/// beta == 0 overwrites C, whatever it held. 2 m n k operations; workspace (m + n) min(k, 768) numbers. Any number of threads
/// gives the same bits. Throws std::invalid_argument for shapes that do not fit.
GRAMIAN_API void gemm(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta, MatrixView<double> C);

/// The same for a square C of which the diagonal and what is below it are wanted, as of a product that is symmetric: half the
/// work. What is above the diagonal stays as it was.
GRAMIAN_API void gemm_lower(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta,
                            MatrixView<double> C);

/// Which part of a symmetric product is written.
enum class Triangle { lower, full };

/// C = alpha A Aᵀ + beta C for A: n x k, C: n x n: half the work of gemm. Triangle::lower leaves what is above the diagonal as it
/// was; Triangle::full writes the mirror image of the lower part there, so that C is exactly symmetric.
GRAMIAN_API void gemm_symmetric(double alpha, MatrixView<const double> A, double beta, MatrixView<double> C,
                                Triangle triangle = Triangle::full);

}  // namespace gramian
