// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/starts.hpp"

#include <utility>
#include <vector>

namespace gramian {
namespace {

/// Passes on what it sees, and remembers that somebody said stop.
class Watch final : public Observer {
 public:
  explicit Watch(Observer& observer) : observer_(observer) {}
  bool observe(const Iteration& iteration, const double* x) override {
    stopped_ = stopped_ || !observer_.observe(iteration, x);
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  Observer& observer_;
  bool stopped_ = false;
};

}  // namespace

RestartResult run_starts(Index count, int at_once, Observer* observer, FunctionRef<OptimResult(Index, Observer*)> run) {
  if (at_once > 1) return run_restarts(count, [&](Index i) { return run(i, nullptr); });
  std::vector<OptimResult> results;
  if (observer == nullptr) {
    for (Index i = 0; i < count; ++i) results.push_back(run(i, nullptr));
  } else {
    Watch watch(*observer);
    for (Index i = 0; i < count && !watch.stopped(); ++i) results.push_back(run(i, &watch));
  }
  return best_of(std::move(results));
}

}  // namespace gramian
