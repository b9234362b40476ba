// SPDX-License-Identifier: BSD-3-Clause
// The list of optimisers: tests, bindings and the names that Python knows iterate it.
#pragma once

#include <variant>

#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/riemannian.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian {

/// Options that say which optimiser is meant. Each has a name, `fields`, whether it follows estimates or stays in a set, and
/// minimise(task).
using Solver = std::variant<LbfgsOptions, BfgsOptions, GradientDescentOptions, AdamOptions, SgdOptions>;

/// The same on matrices with orthonormal columns: minimise(task, manifold).
using StiefelSolver = std::variant<RiemannianLbfgsOptions, RiemannianAdamOptions, StiefelDescentOptions>;

/// Throws std::invalid_argument for estimates or a set that the optimiser has no use for, or for estimates that it needs.
GRAMIAN_API OptimResult minimise(const Task& task, const Solver& solver);
GRAMIAN_API OptimResult minimise(const Task& task, StiefelProduct& manifold, const StiefelSolver& solver);

/// visit(options) with the default options of each member of the list.
template <class List, class Visit, std::size_t Place = 0>
void for_each_solver(Visit visit) {
  if constexpr (Place < std::variant_size_v<List>) {
    visit(std::variant_alternative_t<Place, List>());
    for_each_solver<List, Visit, Place + 1>(visit);
  }
}

}  // namespace gramian
