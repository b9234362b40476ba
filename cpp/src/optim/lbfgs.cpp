// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "optim/line_search.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

/// The last pairs s = x' - x, y = g' - g, and the inverse Hessian that they stand for.
class Pairs {
 public:
  Pairs(Index n, Index memory) : n_(n), memory_(memory), pairs_(static_cast<std::size_t>(memory + 1)), weights_(pairs_.size()) {}

  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }
  void add(const Point& from, const Point& to);
  void apply(double* d);

 private:
  struct Pair {
    Numbers s, y;
    double sy = 0.0;
  };
  /// The place of the pair that `age` others came after.
  std::size_t at(Index age) const { return static_cast<std::size_t>((next_ + memory_ - age) % (memory_ + 1)); }

  Index n_;
  Index memory_;
  Index count_ = 0;
  Index next_ = 0;
  std::vector<Pair> pairs_;  // one place more than pairs: a new one is tried without losing the oldest
  Numbers weights_;
  double gamma_ = 1.0;
};

/// A pair is kept only if the curvature along it is positive beyond rounding: the matrix stays positive definite.
void Pairs::add(const Point& from, const Point& to) {
  Pair& pair = pairs_[static_cast<std::size_t>(next_)];
  pair.s.resize(static_cast<std::size_t>(n_));
  pair.y.resize(static_cast<std::size_t>(n_));
  difference(to.x.data(), from.x.data(), pair.s.data(), n_);
  difference(to.gradient.data(), from.gradient.data(), pair.y.data(), n_);
  pair.sy = dot(pair.s.data(), pair.y.data(), n_);
  const double ss = dot(pair.s.data(), pair.s.data(), n_), yy = dot(pair.y.data(), pair.y.data(), n_);
  const double gamma = pair.sy / yy;
  if (!(pair.sy > std::numeric_limits<double>::epsilon() * std::sqrt(ss) * std::sqrt(yy)) || !std::isnormal(gamma)) return;
  gamma_ = gamma;
  next_ = (next_ + 1) % (memory_ + 1);
  count_ = std::min(count_ + 1, memory_);
}

/// [NW] Algorithm 7.4: d becomes H d.
void Pairs::apply(double* d) {
  for (Index age = 0; age < count_; ++age) {
    const Pair& pair = pairs_[at(age)];
    double& weight = weights_[at(age)];
    weight = dot(pair.s.data(), d, n_) / pair.sy;
    add_multiple(-weight, pair.y.data(), d, n_);
  }
  if (count_ > 0) multiply(gamma_, d, n_);
  for (Index age = count_ - 1; age >= 0; --age) {
    const Pair& pair = pairs_[at(age)];
    add_multiple(weights_[at(age)] - dot(pair.y.data(), d, n_) / pair.sy, pair.s.data(), d, n_);
  }
}

/// A step along the direction of [NW] Algorithm 7.5, or down the gradient if the pairs lead nowhere.
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
