// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/lbfgs.hpp"

#include <algorithm>

#include "optim/lbfgs_pairs.hpp"
#include "optim/quasi_newton.hpp"

namespace gramian {

using namespace optim_detail;

OptimResult lbfgs(Objective& objective, const double* start, const LbfgsOptions& options, Observer* observer) {
  require(options.memory >= 1, "memory must be at least 1");
  Course course(objective, quasi_newton_limits(options), observer);
  const Index n = objective.size();
  require_vectors(2 * std::min(options.memory, options.max_iterations) + 10, n,
                  "lower memory, the number of pairs that are kept");
  Pairs pairs(n, options.memory);
  QuasiNewton<Pairs> method(course, pairs, start, n, options);
  return course.run(method);
}

OptimResult LbfgsOptions::minimise(const Task& task) const { return lbfgs(task.objective, task.start, *this, task.observer); }

}  // namespace gramian
