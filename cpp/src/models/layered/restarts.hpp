// SPDX-License-Identifier: BSD-3-Clause
// The starts of a training, and what the best of them has made of the layers.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/optim/result.hpp"
#include "models/layered/training.hpp"

namespace gramian {

/// The best is that of the lowest finite value, of equals the first; if there is none, the first.
class Restarts {
 public:
  /// From x to where a start ends. start: its number.
  using Search = std::function<OptimResult(LayeredObjective& objective, const std::vector<double>& x, Index start, Observer*)>;
  /// The variables of a start; none where its images overflow: its value is infinity then. layers: those that are variables, to
  /// be moved about.
  using Begin = FunctionRef<std::optional<std::vector<double>>(Index start, Composition& layers)>;

  /// Starts that would leave threads idle run one after the other, each on all threads (at_once = 1); so do those that are
  /// watched by an observer that is not concurrent. An observer that says stop ends the starts that run; no other one begins.
  Restarts(const LayeredTask& task, const LayeredShare& share, int at_once, Observer* observer, Search search)
      : task_(task), share_(share), at_once_(at_once), observer_(observer), search_(std::move(search)) {
    if (observer != nullptr) part_ = observer->checkpoint().next();
  }

  /// So many starts more.
  void run(Index count, Begin begin);

  Index count() const { return static_cast<Index>(values_.size()); }  ///< of starts that have ended
  bool stopped() const { return stopped_; }                           ///< by the observer
  const OptimResult& best() const { return fit_.result; }
  /// Throws where the best start can't be evaluated.
  LayeredFit finish();

 private:
  OptimResult run_one(Index start, Begin begin, Observer* observer);
  bool leads(Index start, double value) const;
  void keep_best(Index start, OptimResult end, LayeredObjective& objective);

  const LayeredTask& task_;
  const LayeredShare& share_;
  int at_once_;
  Observer* observer_;
  CheckpointPart part_;  // of which each start is one
  Search search_;
  std::vector<double> values_;  // of all starts, in their order
  std::vector<StopReason> reasons_;
  LayeredFit fit_;
  std::mutex mutex_;        // of what follows, and of the best in fit_
  Index best_ = -1;         // its number
  bool described_ = false;  // fit_.layers are those of the best
  std::atomic<bool> stopped_{false};
};

}  // namespace gramian
