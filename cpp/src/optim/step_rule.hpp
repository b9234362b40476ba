// SPDX-License-Identifier: BSD-3-Clause
// Lengths of steps that are known beforehand, and the momentum of what is moved by them.
#pragma once

#include <cmath>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/gradient_descent.hpp"
#include "optim/course.hpp"

namespace gramian::optim_detail {

/// Of step t = 0, 1, ...
inline double length_of_step(StepRule rule, double step, double decay, Index t) {
  const double slowed = 1.0 + decay * static_cast<double>(t);
  if (rule == StepRule::inverse_time) return step / slowed;
  if (rule == StepRule::inverse_root) return step / std::sqrt(slowed);
  return step;
}

inline void require_rule(double step, double decay, double momentum) {
  require_positive(step, "step");
  require_not_negative(decay, "decay");
  require_fraction(momentum, "momentum");
}

/// velocity <- momentum velocity - step gradient, x <- x + velocity.
class HeavyBall {
 public:
  HeavyBall(Index n, double momentum) : momentum_(momentum), velocity_(static_cast<std::size_t>(n)) {}

  void move(Numbers& x, const Numbers& gradient, double step) {
    multiply(momentum_, velocity_.data(), size_of(velocity_));
    add_multiple(-step, gradient.data(), velocity_.data(), size_of(velocity_));
    add_multiple(1.0, velocity_.data(), x.data(), size_of(velocity_));
  }
  /// What the step has become: a wall took some of it.
  void moved(const Numbers& from, const Numbers& to) { difference(to.data(), from.data(), velocity_.data(), size_of(velocity_)); }
  void fields(SnapshotFields& state) { state("velocity", velocity_); }

 private:
  double momentum_;
  Numbers velocity_;
};

}  // namespace gramian::optim_detail
