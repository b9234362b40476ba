// SPDX-License-Identifier: BSD-3-Clause
#include "optim/continued.hpp"

#include <utility>

namespace gramian::optim_detail {
namespace {

Iteration after(Iteration iteration, Index iterations, Index evaluations) {
  iteration.number += iterations;
  iteration.evaluations += evaluations;
  iteration.evaluation += evaluations;
  return iteration;
}

}  // namespace

bool Continued::observe(const Iteration& iteration, const double* x) {
  return observer_.observe(after(iteration, iterations_, evaluations_), x);
}

void append(OptimResult more, OptimResult& all) {
  for (const Iteration& iteration : more.history) {
    if (iteration.number > 0 || all.history.empty()) {
      all.history.push_back(after(iteration, all.iterations, all.evaluations));
    }
  }
  all.iterations += more.iterations;
  all.evaluations += more.evaluations;
  all.x = std::move(more.x);
  all.value = more.value;
  all.gradient_norm = more.gradient_norm;
  all.stop_reason = more.stop_reason;
}

}  // namespace gramian::optim_detail
