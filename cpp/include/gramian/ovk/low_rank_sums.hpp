// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression as in low_rank_ridge.hpp, from sums over the rows of both factors.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/ovk/separable_ridge.hpp"

namespace gramian {

/// What coefficients depend on: sums over the rows of Uc and Vc, W the diagonal matrix of their weights.
struct LowRankSums {
  Matrix inputs{};      ///< UcᵀWUc: m1 x m1
  Matrix between{};     ///< VcᵀWUc: m2 x m1
  Matrix outputs{};     ///< VcᵀWVc: m2 x m2
  double weight = 0.0;  ///< the trace of W; n without weights
};

/// G of LowRankRidge::coefficients(), m2 x m1, with the sum of the weights in the place of n. Of the conditional operator VcᵀSVc
/// is a difference of sums here, whose rounding is relative to VcᵀWVc. O((m1 + m2)^3). Throws std::invalid_argument if shapes
/// disagree, an entry is not finite, a square is not semidefinite, or weight, lambda or epsilon is not above 0.
GRAMIAN_API Matrix low_rank_coefficients(const LowRankSums& sums, const DependencyOperator& kind, double lambda);

}  // namespace gramian
