// SPDX-License-Identifier: BSD-3-Clause
// Rows that are far from each other, for landmarks.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"

namespace gramian {

/// As k-means++ begins: each row is drawn in proportion to its squared distance from those that were drawn before, the first one,
/// and any where that is 0, with equal chances. draws: `count` numbers in [0, 1). Returns different rows, ascending, the same
/// ones for any number of threads. O(n d count). Throws std::invalid_argument for count not in 1 .. n, points that are not
/// float64, or inner products of two sets.
GRAMIAN_API std::vector<Index> spread_rows(const Points& X, Index count, const double* draws);
GRAMIAN_API std::vector<Index> spread_rows(const InnerProducts<double>& X, Index count, const double* draws);

}  // namespace gramian
