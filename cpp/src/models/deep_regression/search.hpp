// SPDX-License-Identifier: BSD-3-Clause
// From the variables of a deep regression to a minimum nearby.
#pragma once

#include <vector>

#include "gramian/models/deep_regression.hpp"
#include "models/layered/training.hpp"

namespace gramian::deep_regression {

/// objective: that of task. Of joint training a loss with kinks is approached by losses without: each search begins where the one
/// with the next wider loss has ended, and what one leaves of its iterations is for those after it. The value is that of the loss
/// itself.
OptimResult search(const LayeredTask& task, const LayeredShare& share, const Options& options, LayeredObjective& objective,
                   const std::vector<double>& x, Observer* observer);

}  // namespace gramian::deep_regression
