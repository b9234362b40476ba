// SPDX-License-Identifier: BSD-3-Clause
// BFGS with the whole inverse Hessian, and the line search of L-BFGS.
#pragma once

#include "gramian/optim/result.hpp"

namespace gramian {

struct BfgsOptions {
  Index max_iterations = 1000;
  Index max_evaluations = 0;          ///< 0: no limit
  double gradient_tolerance = 1e-8;   ///< on the largest magnitude of an entry of the gradient
  double value_tolerance = 1e-12;     ///< on the fall of the value in an iteration, relative to its magnitude; 0: never
  double sufficient_decrease = 1e-4;  ///< c1 of the Wolfe conditions
  double curvature = 0.9;             ///< c2 > c1
};

/// [NW] Alg. 6.1: BFGS, the first matrix scaled by [NW] (6.20). For a few hundred numbers: an iteration costs O(n^2) besides the
/// evaluations, and the matrix takes n^2 numbers. Points, kinks and failures as in lbfgs(): the matrix is forgotten once before
/// it gives up. Deterministic: the same bits for any number of threads. Throws std::invalid_argument for options out of their
/// range, MemoryLimitError.
GRAMIAN_API OptimResult bfgs(Objective& objective, const double* start, const BfgsOptions& options = {},
                             Observer* observer = nullptr);

}  // namespace gramian
