// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/restarts.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gramian/optim/restarts.hpp"

namespace gramian {
namespace {

/// Passes on what it sees, and remembers that somebody said stop.
class Watch final : public Observer {
 public:
  Watch(Observer& observer, std::atomic<bool>& stopped) : observer_(observer), stopped_(stopped) {}
  bool observe(const Iteration& iteration, const double* x) override {
    if (!stopped_ && !observer_.observe(iteration, x)) stopped_ = true;
    return !stopped_;
  }

 private:
  Observer& observer_;
  std::atomic<bool>& stopped_;
};

}  // namespace

void Restarts::run(Index count, Begin begin) {
  const Index first = this->count();
  std::optional<Watch> watching;
  if (observer_ != nullptr) watching.emplace(*observer_, stopped_);
  Observer* watch = watching ? &*watching : nullptr;
  std::vector<std::optional<OptimResult>> ends(static_cast<std::size_t>(count));
  const auto run_next = [&](Index i) {
    // The first start is always begun: there has to be a best one.
    if (!stopped_ || first + i == 0) ends[static_cast<std::size_t>(i)] = run_one(first + i, begin, watch);
    return OptimResult();
  };
  if (at_once_ > 1) {
    run_restarts(count, run_next);
  } else {
    for (Index i = 0; i < count; ++i) run_next(i);
  }
  for (const std::optional<OptimResult>& end : ends) {
    if (!end) continue;
    values_.push_back(end->value);
    reasons_.push_back(end->stop_reason);
  }
}

/// Returns how a start has ended, without its variables.
OptimResult Restarts::run_one(Index start, Begin begin, Observer* observer) {
  LayeredObjective objective = share_.objective(task_);
  OptimResult end, facts;
  if (const std::optional<std::vector<double>> x = begin(start, objective.layers())) {
    Checkpointed watch(observer, part_.part("start " + std::to_string(start)));
    end = search_(objective, *x, start, observer != nullptr ? &watch : nullptr);
  } else {
    end.value = std::numeric_limits<double>::infinity();
    end.stop_reason = StopReason::not_finite;
  }
  facts.value = end.value;
  facts.stop_reason = end.stop_reason;
  keep_best(start, std::move(end), objective);
  return facts;
}

/// Whether the end of a start is the best so far.
bool Restarts::leads(Index start, double value) const {
  if (best_ < 0) return true;
  const double best = fit_.result.value;
  if (std::isfinite(value) != std::isfinite(best)) return std::isfinite(value);
  return start < best_ ? !(value > best) : value < best;
}

/// The layers are described while the objective is still where the start has ended: nothing is evaluated for it, as a rule. That
/// is done without the lock, as it may be work for several threads.
void Restarts::keep_best(Index start, OptimResult end, LayeredObjective& objective) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!leads(start, end.value)) return;
  }
  const bool finite = std::isfinite(end.value);
  LayeredFit fit = finite ? trained_layers(task_, objective, end.x) : LayeredFit();
  fit.result = std::move(end);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!leads(start, fit.result.value)) return;
  best_ = start;
  described_ = finite;
  fit_ = std::move(fit);
}

LayeredFit Restarts::finish() {
  if (!described_) {
    LayeredObjective objective = share_.objective(task_);
    OptimResult end = std::move(fit_.result);
    fit_ = trained_layers(task_, objective, end.x);
    fit_.result = std::move(end);
  }
  fit_.restart_values = std::move(values_);
  fit_.restart_reasons = std::move(reasons_);
  return std::move(fit_);
}

}  // namespace gramian
