// SPDX-License-Identifier: BSD-3-Clause
// Whether options of a deep regression fit together, and what follows from them.
#pragma once

#include <vector>

#include "gramian/models/deep_regression.hpp"

namespace gramian::deep_regression {

/// The options of the mode; the defaults for interpolation, which has none.
const Regression& regression_of(const Options& options);

/// Whether the last layer is a variable. Throws std::invalid_argument for arguments that do not fit together.
bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                   const Options& options);

}  // namespace gramian::deep_regression
