// SPDX-License-Identifier: BSD-3-Clause
// Who watches a method that iterates, and may end it.
#pragma once

#include <chrono>
#include <utility>

#include "gramian/base/checkpoint.hpp"
#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"

namespace gramian {

/// What an Observer sees of an iteration.
struct Iteration {
  Index number = 0;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest magnitude of an entry
  double step = 0.0;           ///< length of the step as a multiple of the direction
  Index evaluations = 0;       ///< so far, estimates included
  Index evaluation = 0;        ///< which of them the value is of, counted from 1: a line search may go back to an earlier one
};

/// Asked after each iteration, on the thread that runs the method; by a method on estimates, after those that end with an
/// evaluation of the whole objective. The start is not an iteration.
class GRAMIAN_API Observer {
 public:
  virtual ~Observer();
  virtual bool observe(const Iteration& iteration, const double* x) = 0;  ///< false: stop here; to have converged counts more
  /// Whether several threads may ask at once. Starts that are watched by an observer of one thread run one after the other.
  virtual bool concurrent() const { return false; }
  /// Where the method keeps how far it has come; none if nobody wants to go on from there.
  virtual CheckpointPart checkpoint() const { return {}; }
};

/// Passes on what it sees, and has a method keep how far it has come.
class GRAMIAN_API Checkpointed final : public Observer {
 public:
  /// observer: null if nobody watches; it must outlive this, as the Checkpoint must.
  Checkpointed(Observer* observer, CheckpointPart part) : observer_(observer), part_(std::move(part)) {}
  bool observe(const Iteration& iteration, const double* x) override {
    return observer_ == nullptr || observer_->observe(iteration, x);
  }
  bool concurrent() const override { return observer_ == nullptr || observer_->concurrent(); }
  CheckpointPart checkpoint() const override { return part_; }

 private:
  Observer* observer_;
  CheckpointPart part_;
};

/// Ends a method after the iteration in which the time is over; time counts from the construction.
class GRAMIAN_API TimeLimit final : public Observer {
 public:
  explicit TimeLimit(double seconds);
  bool observe(const Iteration&, const double*) override;
  bool concurrent() const override { return true; }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace gramian
