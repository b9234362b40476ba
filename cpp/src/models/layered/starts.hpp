// SPDX-License-Identifier: BSD-3-Clause
// The starts of a training, at once or one after the other.
#pragma once

#include "gramian/optim/restarts.hpp"

namespace gramian {

/// Starts that would leave threads idle run one after the other, each on all threads (at_once = 1); so do those that are watched,
/// as an observer is the caller's: one that says stop ends the starts that are still to come.
RestartResult run_starts(Index count, int at_once, Observer* observer, FunctionRef<OptimResult(Index, Observer*)> run);

}  // namespace gramian
