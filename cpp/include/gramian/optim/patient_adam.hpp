// SPDX-License-Identifier: BSD-3-Clause
// Adam for functions that have points without a value, or of which estimates alone can be afforded.
#pragma once

#include <cstdint>

#include "gramian/optim/result.hpp"

namespace gramian {

struct PatientAdamOptions {
  Index max_iterations = 500;
  double step = 0.1;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  /// Of StochasticObjective::sample(); the whole objective is never evaluated then.
  bool estimates = false;
  std::uint64_t seed = 0;  ///< of estimates
  /// It stops where the value, of estimates the mean of the last `patience` ones, has not fallen by this much, relative to its
  /// magnitude, for `patience` iterations; 0: never.
  double tolerance = 1e-5;
  Index patience = 20;
  Index average = 1;       ///< of estimates: the result is the mean of so many last points
  Index shortenings = 10;  ///< a step to a point without a value is halved so often
};

/// [Adam] Alg. 1: steps of Adam. Where value or gradient are not finite it goes back half of the way to the last good point, and
/// again; if that does not help, to that point itself: StopReason::line_search, or the next estimate, and line_search too if
/// `patience` of them in a row have not moved it. Returns the best point seen; with estimates, which can't be compared, the mean
/// of the last ones, and as the value the mean of the last `patience` estimates. The observer and the history see every
/// iteration. Throws std::invalid_argument for options out of their range.
GRAMIAN_API OptimResult patient_adam(StochasticObjective& objective, const double* start, const PatientAdamOptions& options = {},
                                     Observer* observer = nullptr);

}  // namespace gramian
