// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/restarts.hpp"

#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

/// Asks, on the thread that called, whoever was asked before; the threads that help, whom nobody else tells, hear the answer.
class Relay final : public StopCheck {
 public:
  explicit Relay(std::atomic<bool>& stopped) : stopped_(stopped) {}
  void ask(StopCheck* outer) { outer_ = outer; }
  bool should_stop() override {
    if (outer_ != nullptr && outer_->should_stop()) stopped_.store(true, std::memory_order_relaxed);
    return stopped_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool>& stopped_;
  StopCheck* outer_ = nullptr;
};

std::vector<OptimResult> run_all(Index count, FunctionRef<OptimResult(Index)> run) {
  std::vector<OptimResult> results(static_cast<std::size_t>(count));
  // A loop of one task would keep the run from the other threads.
  if (count == 1) return results[0] = run(0), results;
  constexpr double worth_a_thread = 1.0;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> stopped{false};
  Relay relay(stopped);
  const StopScope scope(relay);
  relay.ask(scope.outer());
  parallel_for(count, worth_a_thread, [&](Index i, int) {
    auto& result = results[static_cast<std::size_t>(i)];
    if (std::this_thread::get_id() == caller) {
      result = run(i);
      return;
    }
    Relay hears(stopped);
    const StopScope helper(hears);
    result = run(i);
  });
  return results;
}

}  // namespace

RestartResult best_of(std::vector<OptimResult> results) {
  require(!results.empty(), "the number of starts must be at least 1");
  RestartResult out;
  double best = INFINITY;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const OptimResult& result = results[i];
    out.values.push_back(result.value);
    out.stop_reasons.push_back(result.stop_reason);
    if (std::isfinite(result.value) && result.value < best) {
      best = result.value;
      out.best_index = static_cast<Index>(i);
    }
  }
  out.best = std::move(results[static_cast<std::size_t>(out.best_index)]);
  return out;
}

RestartResult run_restarts(Index count, FunctionRef<OptimResult(Index)> run) {
  require(count >= 1, "the number of starts must be at least 1");
  return best_of(run_all(count, run));
}

}  // namespace gramian
