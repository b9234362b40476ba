// SPDX-License-Identifier: BSD-3-Clause
// BFGS with the whole inverse Hessian, and the line search of L-BFGS.
#pragma once

#include "gramian/optim/result.hpp"

namespace gramian {

/// Options of bfgs().
struct BfgsOptions {
  static constexpr const char* name = "bfgs";
  static constexpr Estimates estimates = Estimates::refused;
  static constexpr bool takes_set = false;

  Index max_iterations = 1000;
  Index max_evaluations = 0;          ///< 0: no limit
  double gradient_tolerance = 1e-8;   ///< on the largest magnitude of an entry of the gradient
  double value_tolerance = 1e-12;     ///< on the fall of the value in an iteration, relative to its magnitude; 0: never
  double sufficient_decrease = 1e-4;  ///< c1 of the Wolfe conditions
  double curvature = 0.9;             ///< c2 > c1

  /// visit(name, pointer to member) for each option.
  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &BfgsOptions::max_iterations);
    visit("max_evaluations", &BfgsOptions::max_evaluations);
    visit("gradient_tolerance", &BfgsOptions::gradient_tolerance);
    visit("value_tolerance", &BfgsOptions::value_tolerance);
    visit("sufficient_decrease", &BfgsOptions::sufficient_decrease);
    visit("curvature", &BfgsOptions::curvature);
  }
  GRAMIAN_API OptimResult minimise(const Task& task) const;
};

/// [NW] Alg. 6.1: BFGS, the first matrix scaled by [NW] (6.20). For a few hundred numbers: an iteration costs O(n^2) besides the
/// evaluations, and the matrix takes n^2 numbers. Points, kinks and failures as in lbfgs(): the matrix is forgotten once before
/// it gives up. Deterministic: the same bits for any number of threads. Throws std::invalid_argument for options out of their
/// range, MemoryLimitError.
GRAMIAN_API OptimResult bfgs(Objective& objective, const double* start, const BfgsOptions& options = {},
                             Observer* observer = nullptr);

}  // namespace gramian
