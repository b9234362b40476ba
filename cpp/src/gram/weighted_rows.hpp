// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of samples themselves.
#pragma once

#include "gramian/gram/points.hpp"

namespace gramian {

/// out(i, :) = sum_j weights(i, j) y_j: q x d. Y: n float64 points, dense, or sparse and checked. Of sparse ones the terms of an
/// entry are added in the order of the points.
void weighted_rows(MatrixView<const double> weights, const Points& Y, MatrixView<double> out);

}  // namespace gramian
