// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "optim/lbfgs_pairs.hpp"
#include "optim/line_search.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

/// A step along the direction of [NW] Alg. 7.5, or down the gradient if the pairs lead nowhere.
bool move(Point& point, Pairs& pairs, LineSearch& search, Numbers& direction, double& step) {
  const Index n = size_of(direction);
  for (;;) {
    std::copy(point.gradient.begin(), point.gradient.end(), direction.begin());
    pairs.apply(direction.data());
    multiply(-1.0, direction.data(), n);
    const double slope = dot(direction.data(), point.gradient.data(), n);
    // Nothing is known of the scale at first: a step of length 1.
    step = pairs.empty() ? 1.0 / std::sqrt(-slope) : 1.0;
    if (slope < 0.0 && std::isfinite(slope) && search.move(point, direction, slope, step)) return true;
    if (pairs.empty()) return false;
    pairs.clear();
  }
}

void iterate(Course& course, Point& point, const LbfgsOptions& options) {
  const Index n = size_of(point.x);
  Pairs pairs(n, options.memory);
  LineSearch search(course, n, options.sufficient_decrease, options.curvature);
  Numbers direction(static_cast<std::size_t>(n));
  double step = 0.0;
  for (Index number = 1;; ++number) {
    poll_stop();
    if (!move(point, pairs, search, direction, step)) {
      return course.stop(course.may_evaluate() ? StopReason::line_search : StopReason::max_evaluations);
    }
    pairs.add(search.left(), point);
    if (!course.advance(number, point, step)) return;
  }
}

}  // namespace

OptimResult lbfgs(Objective& objective, const double* start, const LbfgsOptions& options, Observer* observer) {
  require(options.memory >= 1, "memory must be at least 1");
  const double c1 = options.sufficient_decrease, c2 = options.curvature;
  require(0.0 < c1 && c1 < c2 && c2 < 1.0, "0 < sufficient_decrease < curvature < 1 must hold");
  Course course(objective, {options.max_iterations, options.max_evaluations, options.gradient_tolerance, options.value_tolerance},
                observer);
  const Index n = objective.size();
  require_vectors(2 * std::min(options.memory, options.max_iterations) + 10, n,
                  "lower memory, the number of pairs that are kept");
  Point point(start, n);
  course.evaluate(point);
  if (course.begin(point)) iterate(course, point, options);
  return course.finish();
}

}  // namespace gramian
