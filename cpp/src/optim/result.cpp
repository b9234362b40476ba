// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/result.hpp"

namespace gramian {

const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::gradient: return "gradient";
    case StopReason::value: return "value";
    case StopReason::max_iterations: return "max_iterations";
    case StopReason::max_evaluations: return "max_evaluations";
    case StopReason::line_search: return "line_search";
    case StopReason::not_finite: return "not_finite";
    case StopReason::observer: break;
  }
  return "observer";
}

bool converged(StopReason reason) { return reason == StopReason::gradient || reason == StopReason::value; }

}  // namespace gramian
