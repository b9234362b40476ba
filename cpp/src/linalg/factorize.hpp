// SPDX-License-Identifier: BSD-3-Clause
// The Cholesky factorization that every public form of it shares: what went wrong is a value here, not an exception.
#pragma once

#include "gramian/linalg/cholesky.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {

struct FactorReport {
  FactorStatus status = FactorStatus::ok;
  double jitter = 0.0;  ///< added to the diagonal; if the factorization failed, the largest that was tried
  Index row = -1;       ///< of the pivot, or of the entry that is not finite
  Index col = -1;
  double value = 0.0;  ///< the first bad pivot without jitter, or the entry that is not finite
};

/// Matrices up to here are one tile: a whole one in a second-level cache.
constexpr Index largest_single_tile = isa::tile_size;

/// Tiles for a matrix of this size.
GRAMIAN_API Index factor_tile(Index size);

/// packed = the factor of A + jitter I.
GRAMIAN_API FactorReport factorize(MatrixView<const double> A, PackedLower& packed, const CholeskyOptions& options);
GRAMIAN_API FactorReport factorize(const TiledMatrix& A, PackedLower& packed, const CholeskyOptions& options);

/// packed = the factor of A. The row of the first pivot that is not positive and finite, or -1 if all are: no jitter is tried.
Index factorize(const TiledMatrix& A, PackedLower& packed);

/// The packed factor as a matrix.
void store_factor(PackedLower& packed, MatrixView<double> L);

}  // namespace gramian
