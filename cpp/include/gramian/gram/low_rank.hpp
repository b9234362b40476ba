// SPDX-License-Identifier: BSD-3-Clause
// A Gram matrix of low rank, from the kernel and the points.
#pragma once

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"

namespace gramian {

/// k(X, X) ≈ F Fᵀ by pivoted incomplete Cholesky: O(n m (m + d)) for rank m, the Gram matrix is never formed. Points of float64,
/// dense or sparse. For any x, F[pivots]^-1 k(pivots, x) is what x would have had for a row of F. Throws as
/// incomplete_cholesky() and full() do.
GRAMIAN_API IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const Points& X,
                                                   const IncompleteCholeskyOptions& options = {});

}  // namespace gramian
