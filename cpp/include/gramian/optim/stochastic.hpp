// SPDX-License-Identifier: BSD-3-Clause
// Stochastic gradient descent and Adam, on estimates or on the whole gradient.
#pragma once

#include <cstdint>
#include <optional>

#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/result.hpp"

namespace gramian {

/// Options of sgd().
struct SgdOptions {
  static constexpr const char* name = "sgd";
  static constexpr Estimates estimates = Estimates::needed;
  static constexpr bool takes_set = false;

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

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &SgdOptions::max_iterations);
    visit("rule", &SgdOptions::rule);
    visit("step", &SgdOptions::step);
    visit("decay", &SgdOptions::decay);
    visit("momentum", &SgdOptions::momentum);
    visit("check_every", &SgdOptions::check_every);
    visit("gradient_tolerance", &SgdOptions::gradient_tolerance);
    visit("value_tolerance", &SgdOptions::value_tolerance);
  }
  GRAMIAN_API OptimResult minimise(const Task& task) const;
};

/// How Adam deals with points that have no value, and with values of which a single one says little.
struct Patience {
  /// It stops where the value, of estimates the mean of the last `window` values, has not fallen by this much, relative to its
  /// magnitude, for `window` iterations; 0: never.
  double tolerance = 1e-5;
  Index window = 20;
  Index average = 1;       ///< of estimates: the result is the mean of so many last points
  Index shortenings = 10;  ///< a step to a point without a value is halved so often

  template <class Visit>
  static void fields(Visit visit) {
    visit("tolerance", &Patience::tolerance);
    visit("window", &Patience::window);
    visit("average", &Patience::average);
    visit("shortenings", &Patience::shortenings);
  }
};

/// Options of adam() and stochastic_adam().
struct AdamOptions {
  static constexpr const char* name = "adam";
  static constexpr Estimates estimates = Estimates::taken;
  static constexpr bool takes_set = false;

  Index max_iterations = 1000;
  double step = 1e-2;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double gradient_tolerance = 1e-8;
  double value_tolerance = 0.0;
  std::uint64_t seed = 0;                 ///< of estimates
  Index check_every = 50;                 ///< as in SgdOptions, for estimates without patience
  std::optional<Patience> patience = {};  ///< none: the first point without a value is the end

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &AdamOptions::max_iterations);
    visit("step", &AdamOptions::step);
    visit("beta1", &AdamOptions::beta1);
    visit("beta2", &AdamOptions::beta2);
    visit("epsilon", &AdamOptions::epsilon);
    visit("gradient_tolerance", &AdamOptions::gradient_tolerance);
    visit("value_tolerance", &AdamOptions::value_tolerance);
    visit("check_every", &AdamOptions::check_every);
    visit("patience", &AdamOptions::patience);
  }
  GRAMIAN_API OptimResult minimise(const Task& task) const;
};

/// v <- momentum v - step gradient, x <- x + v, on the estimates (seed, 0), (seed, 1), ... Returns the best point of those that
/// the whole objective was evaluated at. Throws std::invalid_argument for options out of their range, as the others do.
GRAMIAN_API OptimResult sgd(StochasticObjective& objective, const double* start, const SgdOptions& options = {},
                            Observer* observer = nullptr);

/// [Adam] Alg. 1: on the whole gradient. Returns the best point seen.
///
/// With patience: where value or gradient are not finite it goes back half of the way to the last good point, and again; if that
/// does not help, to that point itself, which ends it with StopReason::line_search.
GRAMIAN_API OptimResult adam(Objective& objective, const double* start, const AdamOptions& options = {},
                             Observer* observer = nullptr);

/// The same on estimates, with the best point as in sgd.
///
/// With patience the whole objective is never evaluated: the result is the mean of the last points, its value the mean of the
/// last `window` estimates, and the observer and the history see every iteration. A point without a value waits for the next
/// estimate; StopReason::line_search if `window` of them in a row have not moved it.
GRAMIAN_API OptimResult stochastic_adam(StochasticObjective& objective, const double* start, const AdamOptions& options = {},
                                        Observer* observer = nullptr);

}  // namespace gramian
