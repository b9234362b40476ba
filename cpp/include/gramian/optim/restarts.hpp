// SPDX-License-Identifier: BSD-3-Clause
// Optimisation from several starts, and the best result.
#pragma once

#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/optim/result.hpp"

namespace gramian {

/// The best of several starts, and how all of them ended.
struct RestartResult {
  OptimResult best;  ///< lowest finite value; of equals the first; if there is none, the first start's
  Index best_index = 0;
  std::vector<double> values;  ///< of all starts, in their order
  std::vector<StopReason> stop_reasons;
};

/// The best of starts that have been run. Throws std::invalid_argument if there are none.
GRAMIAN_API RestartResult best_of(std::vector<OptimResult> results);

/// run(i) minimises from start i, with an objective of its own: starts are spread over threads, and each of them runs on one. The
/// same bits for any number of threads. Throws std::invalid_argument for count < 1; what a run throws is rethrown.
GRAMIAN_API RestartResult run_restarts(Index count, FunctionRef<OptimResult(Index)> run);

}  // namespace gramian
