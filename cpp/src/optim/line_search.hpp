// SPDX-License-Identifier: BSD-3-Clause
// A step along a direction that satisfies the strong Wolfe conditions.
#pragma once

#include "optim/course.hpp"

namespace gramian::optim_detail {

/// [NW] Alg. 3.5 and Alg. 3.6: with cubic interpolation. Values that are not finite are too far.
class LineSearch {
 public:
  /// sufficient_decrease < curvature, both in (0, 1), are c1 and c2 of the conditions.
  LineSearch(Course& course, Index n, double sufficient_decrease, double curvature);

  /// `point` moves along `direction`, on which it has the slope `slope` < 0; `step` is the first one that is tried and becomes
  /// the one that is taken. False, and nothing has changed: no step lowers the value enough. Where no step that is left to try
  /// has a slope that is small enough, at a kink or at the end of what rounding lets one see, or where evaluations have come to
  /// their end, the lowest point that was found is taken.
  bool move(Point& point, const Numbers& direction, double slope, double& step);

  /// The point that the last move started from.
  const Point& left() const { return best_; }

 private:
  struct Trial {
    double step = 0.0;
    double value = 0.0;
    double slope = 0.0;
    bool finite = true;
  };
  enum class Verdict { accepted, too_far, beyond_minimum, too_short };

  Trial evaluate(double step);
  Verdict judge(const Trial& trial) const;
  void take_as_low(const Trial& trial);
  bool expand(double step);
  bool zoom(Trial high);
  bool resolvable(const Trial& high) const;

  Course& course_;
  double sufficient_decrease_;
  double curvature_;
  Point trial_;  ///< the last one that was evaluated
  Point best_;   ///< of low_, unless its step is 0
  const Point* start_ = nullptr;
  const Numbers* direction_ = nullptr;
  double start_slope_ = 0.0;
  Trial low_;  ///< the lowest one with enough decrease
};

}  // namespace gramian::optim_detail
