// SPDX-License-Identifier: BSD-3-Clause
// Limited-memory BFGS with a line search for the strong Wolfe conditions.
#pragma once

#include "gramian/optim/bfgs.hpp"

namespace gramian {

/// Limits and line search are those of BFGS.
struct LbfgsOptions : BfgsOptions {
  static constexpr const char* name = "lbfgs";

  Index memory = 20;  ///< pairs of differences that are kept

  template <class Visit>
  static void fields(Visit visit) {
    BfgsOptions::fields(visit);
    visit("memory", &LbfgsOptions::memory);
  }
  GRAMIAN_API OptimResult minimise(const Task& task) const;
};

/// [NW] Alg. 7.4, Alg. 7.5, Alg. 3.5 and Alg. 3.6: directions of L-BFGS, with a line search.
/// Values never rise, and a point out of the domain is never taken. Where no step meets the condition on the curvature, at a
/// kink, the lowest one that was tried is taken; where none lowers the value, the pairs are forgotten once before it gives up.
/// Besides the evaluations an iteration costs O(memory n). Memory: 2 memory + 10 vectors of n numbers. Deterministic: the same
/// bits for any number of threads. Throws std::invalid_argument for options out of their range, MemoryLimitError.
GRAMIAN_API OptimResult lbfgs(Objective& objective, const double* start, const LbfgsOptions& options = {},
                              Observer* observer = nullptr);

}  // namespace gramian
