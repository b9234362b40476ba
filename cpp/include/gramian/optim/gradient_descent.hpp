// SPDX-License-Identifier: BSD-3-Clause
// Gradient descent with step rules, and with projections to a set.
#pragma once

#include "gramian/optim/result.hpp"

namespace gramian {

/// How the length of a step is chosen.
enum class StepRule {
  constant,      ///< step
  inverse_time,  ///< step / (1 + decay t)
  inverse_root,  ///< step / sqrt(1 + decay t)
  backtracking   ///< Armijo: halved until the value falls enough; grows again after steps that were taken at once
};

/// Options of gradient_descent() and projected_gradient().
struct GradientDescentOptions {
  static constexpr const char* name = "gd";
  static constexpr Estimates estimates = Estimates::refused;
  static constexpr bool takes_set = true;

  Index max_iterations = 1000;
  StepRule rule = StepRule::backtracking;
  double step = 1.0;      ///< of backtracking: the first one that is tried
  double decay = 0.0;     ///< 0 or greater; t counts from 0
  double momentum = 0.0;  ///< in [0, 1); not with backtracking
  double gradient_tolerance = 1e-8;
  double value_tolerance = 1e-12;  ///< on the change of the value in an iteration, relative to its magnitude; 0: never

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &GradientDescentOptions::max_iterations);
    visit("rule", &GradientDescentOptions::rule);
    visit("step", &GradientDescentOptions::step);
    visit("decay", &GradientDescentOptions::decay);
    visit("momentum", &GradientDescentOptions::momentum);
    visit("gradient_tolerance", &GradientDescentOptions::gradient_tolerance);
    visit("value_tolerance", &GradientDescentOptions::value_tolerance);
  }
  GRAMIAN_API OptimResult minimise(const Task& task) const;
};

/// v <- momentum v - step gradient, x <- x + v. The rules but backtracking may let the value rise: the best point is returned.
/// Throws std::invalid_argument for options out of their range.
GRAMIAN_API OptimResult gradient_descent(Objective& objective, const double* start, const GradientDescentOptions& options = {},
                                         Observer* observer = nullptr);

/// Each step is followed by the projection, and so is the start; gradient_norm is then that of x - project(x - gradient), and v
/// is what the projection has left of the step.
GRAMIAN_API OptimResult projected_gradient(Objective& objective, Projection& set, const double* start,
                                           const GradientDescentOptions& options = {}, Observer* observer = nullptr);

}  // namespace gramian
