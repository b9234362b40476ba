// SPDX-License-Identifier: BSD-3-Clause
// A method that iterates, as a part of a checkpoint.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "gramian/base/observer.hpp"

namespace gramian {

/// The iterations so far.
void history_fields(SnapshotFields& state, std::vector<Iteration>& history);

/// Between two of its iterations it can be kept and, in another process, continued.
class Stage {
 public:
  using Fields = std::function<void(SnapshotFields&)>;

  /// result: what a caller gets of the method; progress: what else its next iteration needs. Both are asked for until the end.
  Stage(Observer* observer, Fields result, Fields progress)
      : part_(observer != nullptr ? observer->checkpoint().next() : CheckpointPart()),
        result_(std::move(result)),
        progress_(std::move(progress)) {}

  /// Whether the method has ended in an earlier process; then the result is that of its end.
  bool has_ended();
  /// Whether it goes on from where an earlier process was; then all is as it was after an iteration.
  bool resumes();
  /// After an iteration that is not the last.
  void keep(Index iterations);
  /// After an iteration that an observer wants to be the last: the method has not ended by itself.
  void stop();
  void end();

 private:
  Snapshot state(bool with_progress);

  CheckpointPart part_;
  Fields result_, progress_;
};

}  // namespace gramian
