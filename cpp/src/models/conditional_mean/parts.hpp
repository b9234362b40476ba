// SPDX-License-Identifier: BSD-3-Clause
// The parts of an embedding: whether they fit together, and how many outputs have weights.
#pragma once

#include "gramian/models/conditional_mean/predictor.hpp"

namespace gramian::conditional_mean {

/// Throws std::invalid_argument, naming them, for parts that do not fit together.
void check_parts(const Parts& parts);

/// The number of training outputs.
Index outputs_of(const Parts& parts);

}  // namespace gramian::conditional_mean
