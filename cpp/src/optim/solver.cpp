// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/solver.hpp"

#include <string>

#include "gramian/base/error.hpp"

namespace gramian {

OptimResult minimise(const Task& task, const Solver& solver) {
  return std::visit(
      [&](const auto& options) {
        const std::string who = std::string("the solver ") + options.name;
        const bool estimated = task.estimates != nullptr;
        require(estimated || options.estimates != Estimates::needed, who + " needs an objective that can be estimated");
        require(!estimated || options.estimates != Estimates::refused, who + " follows no estimates");
        require(task.set == nullptr || options.takes_set, who + " stays in no set");
        return options.minimise(task);
      },
      solver);
}

OptimResult minimise(const Task& task, StiefelProduct& manifold, const StiefelSolver& solver) {
  return std::visit([&](const auto& options) { return options.minimise(task, manifold); }, solver);
}

}  // namespace gramian
