// SPDX-License-Identifier: BSD-3-Clause
// Results of optimisers in a checkpoint.
#pragma once

#include "gramian/base/snapshot.hpp"
#include "gramian/optim/result.hpp"

namespace gramian::optim_detail {

void fields(SnapshotFields& state, OptimResult& result);

}  // namespace gramian::optim_detail
