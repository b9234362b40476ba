// SPDX-License-Identifier: BSD-3-Clause
// Standardisation of columns.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"

namespace gramian {

/// Columns become (column - shift) / scale.
struct ColumnScaling {
  std::vector<double> shift;
  std::vector<double> scale;
};

/// The means and standard deviations of the columns. The scale of a column that is constant up to rounding is 1; no square of
/// what is large overflows. weights: one for each row, with a sum above 0; null for 1 each. Three passes over X. Throws
/// std::invalid_argument for points that are not float64.
GRAMIAN_API ColumnScaling column_scaling(const Points& X, const double* weights = nullptr);

}  // namespace gramian
