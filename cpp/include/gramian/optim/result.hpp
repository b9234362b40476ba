// SPDX-License-Identifier: BSD-3-Clause
// Results of optimisers.
#pragma once

#include <vector>

#include "gramian/optim/objective.hpp"

namespace gramian {

/// Why an optimiser ended.
enum class StopReason {
  gradient,        ///< no entry of the gradient is above the tolerance
  value,           ///< the value no longer changes by more than the tolerance, relatively
  max_iterations,  ///< not converged
  max_evaluations,
  line_search,  ///< no step along the direction lowers the value: as far as rounding allows, or the gradient is wrong
  not_finite,   ///< value or gradient at the start is not finite, or a method with steps of fixed lengths has left the domain
  observer      ///< somebody said stop
};
GRAMIAN_API const char* name_of(StopReason reason);  ///< "gradient", "value", ...
GRAMIAN_API bool converged(StopReason reason);       ///< gradient or value

/// The result of an optimiser.
struct OptimResult {
  std::vector<double> x;  ///< of the lowest value in the history; after StopReason::gradient, the point that this is true of
  double value = 0.0;
  double gradient_norm = 0.0;  ///< at x: largest magnitude of an entry
  StopReason stop_reason = StopReason::max_iterations;
  Index iterations = 0;
  Index evaluations = 0;           ///< estimates included
  std::vector<Iteration> history;  ///< the start as number 0, then the iterations that an Observer sees
};

}  // namespace gramian
