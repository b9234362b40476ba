// SPDX-License-Identifier: BSD-3-Clause
// Probabilities from the outputs of a classifier.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Clipped at 0 and normalised, [MCE] (6), in place; 1 / m each where nothing is left.
GRAMIAN_API void clip_normalise(MatrixView<double> decision);

/// Logarithms of softmax() in place, without going through probabilities: finite for all logits.
GRAMIAN_API void log_softmax(MatrixView<double> logits);

}  // namespace gramian
