// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/objective.hpp"

namespace gramian {

// Out of line, so that each class has its type information in this library alone.
Objective::~Objective() = default;

void Objective::fields(SnapshotFields&) {}
StochasticObjective::~StochasticObjective() = default;
Projection::~Projection() = default;

}  // namespace gramian
