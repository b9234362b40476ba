// SPDX-License-Identifier: BSD-3-Clause
// Whether options of an autoencoder fit together, and what follows from them.
#pragma once

#include <vector>

#include "gramian/models/autoencoder.hpp"

namespace gramian::autoencoder {

/// Whether the last layer will be a variable. Throws std::invalid_argument for arguments that do not fit together.
bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                   const Options& options, WarmStart warm_start);

}  // namespace gramian::autoencoder
