// SPDX-License-Identifier: BSD-3-Clause
// What every model with layers asks of its arguments: std::invalid_argument names those that do not fit.
#pragma once

#include <vector>

#include "gram/source.hpp"
#include "gramian/models/layered.hpp"

namespace gramian {

void check_layers(const std::vector<LayerPlan>& layers, MatrixView<const double> targets);
void check_samples(const PointSource& input, MatrixView<const double> targets, const std::vector<Index>& landmarks);
/// Unless there is none it must be as long as this, and finite.
void check_warm_start(WarmStart warm_start, Index variables);

/// Whether Theta_L is a number greater than 0 times |f_L|^2, without which there is no closed form of the last layer.
bool has_linear_penalty(const LayerPlan& last);

}  // namespace gramian
