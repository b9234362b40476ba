// SPDX-License-Identifier: BSD-3-Clause
#include "optim/result_fields.hpp"

#include "base/stage.hpp"
#include "gramian/base/error.hpp"

namespace gramian::optim_detail {

void fields(SnapshotFields& state, OptimResult& result) {
  auto reason = static_cast<Index>(result.stop_reason);
  state.list("best x", result.x);
  state("best value", result.value);
  state("best gradient norm", result.gradient_norm);
  state.within("stop reason", reason, 0, static_cast<Index>(StopReason::observer));
  state("iterations", result.iterations);
  state("evaluations", result.evaluations);
  history_fields(state, result.history);
  require(!result.history.empty(), "the state has no history: it is that of another method");
  result.stop_reason = static_cast<StopReason>(reason);
}

}  // namespace gramian::optim_detail
