// SPDX-License-Identifier: BSD-3-Clause
// Stochastic gradient descent and Adam, on estimates or on the whole gradient.
#pragma once

#include <cstdint>

#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/result.hpp"

namespace gramian {

struct SgdOptions {
  Index max_iterations = 1000;         ///< steps
  StepRule rule = StepRule::constant;  ///< not backtracking
  double step = 1e-2;
  double decay = 0.0;
  double momentum = 0.0;
  std::uint64_t seed = 0;
  /// Steps between two evaluations of the whole objective, which decide when to stop; 0: at the start and at the end only.
  Index check_every = 50;
  double gradient_tolerance = 1e-8;
  double value_tolerance = 0.0;  ///< on the change of the value between two evaluations, relative to its magnitude; 0: never
};

struct AdamOptions {
  Index max_iterations = 1000;
  double step = 1e-2;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double gradient_tolerance = 1e-8;
  double value_tolerance = 0.0;
  std::uint64_t seed = 0;  ///< of estimates
  Index check_every = 50;  ///< as in SgdOptions, for estimates
};

/// v <- momentum v - step gradient, x <- x + v, on the estimates (seed, 0), (seed, 1), ... Returns the best point of those that
/// the whole objective was evaluated at. Throws std::invalid_argument for options out of their range, as the others do.
GRAMIAN_API OptimResult sgd(StochasticObjective& objective, const double* start, const SgdOptions& options = {},
                            Observer* observer = nullptr);
/// [Adam] Alg. 1: on the whole gradient. Returns the best point seen.
GRAMIAN_API OptimResult adam(Objective& objective, const double* start, const AdamOptions& options = {},
                             Observer* observer = nullptr);
/// The same on estimates, with the best point as in sgd.
GRAMIAN_API OptimResult stochastic_adam(StochasticObjective& objective, const double* start, const AdamOptions& options = {},
                                        Observer* observer = nullptr);

}  // namespace gramian
