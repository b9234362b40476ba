// SPDX-License-Identifier: BSD-3-Clause
// Whether options of an autoencoder fit together, and what follows from them.
#pragma once

#include <vector>

#include "gramian/models/autoencoder.hpp"

namespace gramian {

/// How the last layer will be trained. Throws std::invalid_argument for arguments that do not fit together.
LastLayer checked_last_layer(const PointSource& input, MatrixView<const double> targets,
                             const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options, bool warm_start);

}  // namespace gramian
