// SPDX-License-Identifier: BSD-3-Clause
// A Gram matrix of low rank, from the kernel and the points.
#pragma once

#include <cstdint>

#include "gramian/gram/points.hpp"
#include "gramian/gram/row_source.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"

namespace gramian {

/// k(X, X) ≈ F Fᵀ by pivoted incomplete Cholesky: O(n m (m + d)) for rank m, the Gram matrix is never formed. Points of float64,
/// dense or sparse. For any x, F[pivots]^-1 k(pivots, x) is what x would have had for a row of F. Throws as
/// incomplete_cholesky() and full() do.
GRAMIAN_API IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const Points& X,
                                                   const IncompleteCholeskyOptions& options = {});

/// The same bits for rows that are read a block at a time, once for each block of columns, and pivots one by one: memory for the
/// factor and a block.
GRAMIAN_API IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const RowSource& X,
                                                   const IncompleteCholeskyOptions& options = {});

/// Options of adaptive_factor().
struct AdaptiveFactorOptions {
  Index max_rank = 0;             ///< columns at most; 0: adaptive_rank_cap(n)
  double memory_share = 0.25;     ///< of the memory limit: the factor and a copy of it take no more
  double trace_per_shift = 0.01;  ///< stop when the trace of what is left is below this many times n shift
  Pivoting pivoting = Pivoting::random;
  std::uint64_t seed = 0;  ///< of random pivots

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_rank", &AdaptiveFactorOptions::max_rank);
    visit("memory_share", &AdaptiveFactorOptions::memory_share);
    visit("trace_per_shift", &AdaptiveFactorOptions::trace_per_shift);
    visit("pivoting", &AdaptiveFactorOptions::pivoting);
    visit("seed", &AdaptiveFactorOptions::seed);
  }
};

/// The largest rank of adaptive_factor() where max_rank is 0: n for up to 512 points, and max(512, min(n / 4, 8 sqrt(n))) for
/// more. With it conjugate gradients took the least time on most data (decision 0020).
GRAMIAN_API Index adaptive_rank_cap(Index n);

/// F of the rank that K(X, X) + shift I needs: k(X, X) ≈ F Fᵀ, grown until what is left is on average a hundredth of the shift,
/// so that with (F Fᵀ + shift I)^-1 conjugate gradients take a few iterations. The rank follows the effective dimension trace(K
/// (K + shift I)^-1), unless the cap or the memory ends it: stop_reason() is IncompleteStop::rank then. Points as
/// incomplete_cholesky() takes them. Throws as it does, and std::invalid_argument for a shift that is not above zero.
GRAMIAN_API IncompleteCholesky adaptive_factor(const Kernel& kernel, const Points& X, double shift,
                                               const AdaptiveFactorOptions& options = {});

}  // namespace gramian
