// SPDX-License-Identifier: BSD-3-Clause
// What conjugate gradients divide by for k(x, x') A: the same with a factor of low rank in place of k.
#pragma once

#include <memory>

#include "gramian/ovk/operator_kernel.hpp"

namespace gramian {

/// V -> (F Fᵀ ⊗ A + lambda I)^-1 V, F Fᵀ an incomplete Cholesky factorization of k(X, X): what it misses is never negative, so
/// that no eigenvalue of the system divided by it is below 1, and none is above 1 + |A| |k - F Fᵀ| / lambda. The rank is
/// that of adaptive_factor() for the shift lambda / |A|. Null if A or k is zero.
std::unique_ptr<OperatorPreconditioner> separable_preconditioner(const Kernel& k, const OutputOperator& A, const Points& X,
                                                                 double lambda);

}  // namespace gramian
