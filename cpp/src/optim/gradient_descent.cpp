// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/gradient_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "optim/step_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

constexpr double sufficient_decrease = 1e-4;
constexpr int most_halvings = 200;

/// Both functions: the set may be the whole space.
class Descent final : public Method {
 public:
  Descent(Course& course, Projection* set, const GradientDescentOptions& options, const double* start, Index n)
      : course_(course),
        set_(set),
        options_(options),
        step_(options.step),
        point_(start, n),
        other_(n),
        ball_(n, options.momentum) {}

  bool begin() override;
  bool step(Index number) override;
  void fields(SnapshotFields& state) override;

 private:
  void project(Numbers& x) {
    if (set_ != nullptr) set_->project(x.data());
  }
  void evaluate(Point& point);
  void move(double step);
  bool backtrack(double& step);
  bool backtracks() const { return options_.rule == StepRule::backtracking; }

  Course& course_;
  Projection* set_;
  const GradientDescentOptions& options_;
  double step_;  ///< of backtracking: the next one that is tried
  Point point_;
  Point other_;  ///< a trial, or the point that was left
  HeavyBall ball_;
  Numbers scratch_;
};

/// With a set, a point is stationary if a step along the gradient leads back to it.
void Descent::evaluate(Point& point) {
  course_.evaluate(point);
  if (set_ == nullptr || !point.finite()) return;
  const Index n = size_of(point.x);
  scratch_.resize(point.x.size());
  difference(point.x.data(), point.gradient.data(), scratch_.data(), n);
  project(scratch_);
  difference(point.x.data(), scratch_.data(), scratch_.data(), n);
  point.gradient_norm = largest_magnitude(scratch_.data(), n);
}

void Descent::move(double step) {
  if (set_ != nullptr) other_.x = point_.x;
  ball_.move(point_.x, point_.gradient, step);
  if (set_ != nullptr) {
    project(point_.x);
    ball_.moved(other_.x, point_.x);
  }
  evaluate(point_);
}

/// Armijo's rule along the projection arc: f(x') <= f(x) + c <g, x' - x>. `step` becomes the one that was taken.
bool Descent::backtrack(double& step) {
  const Index n = size_of(point_.x);
  scratch_.resize(point_.x.size());
  for (int i = 0; i < most_halvings; ++i, step *= 0.5) {
    step_along(point_.x.data(), -step, point_.gradient.data(), other_.x.data(), n);
    project(other_.x);
    difference(other_.x.data(), point_.x.data(), scratch_.data(), n);
    const double expected = dot(point_.gradient.data(), scratch_.data(), n);
    // What is below the rounding of the value can't be seen.
    if (!(-expected > std::numeric_limits<double>::epsilon() * std::fabs(point_.value))) return false;
    evaluate(other_);
    if (other_.finite() && other_.value <= point_.value + sufficient_decrease * expected && other_.value < point_.value) {
      std::swap(point_, other_);
      return true;
    }
  }
  return false;
}

bool Descent::begin() {
  project(point_.x);
  evaluate(point_);
  return course_.begin(point_);
}

bool Descent::step(Index number) {
  if (!backtracks()) {
    const double step = length_of_step(options_.rule, options_.step, options_.decay, number - 1);
    move(step);
    return course_.advance(number, point_, step);
  }
  const double tried = step_;
  if (!backtrack(step_)) return course_.stop(StopReason::line_search);
  const bool more = course_.advance(number, point_, step_);
  if (step_ == tried) step_ *= 2.0;
  return more;
}

void Descent::fields(SnapshotFields& state) {
  state("step", step_);
  point_.fields(state, "point");
  ball_.fields(state);
}

OptimResult descend(Objective& objective, Projection* set, const double* start, const GradientDescentOptions& options,
                    Observer* observer) {
  require_rule(options.step, options.decay, options.momentum);
  require(options.rule != StepRule::backtracking || options.momentum == 0.0,
          "momentum must be 0 with backtracking: choose another rule");
  Course course(objective, limits_of(options), observer);
  const Index n = objective.size();
  require_vectors(7, n, "use fewer parameters");
  Descent descent(course, set, options, start, n);
  return course.run(descent);
}

}  // namespace

OptimResult gradient_descent(Objective& objective, const double* start, const GradientDescentOptions& options,
                             Observer* observer) {
  return descend(objective, nullptr, start, options, observer);
}

OptimResult projected_gradient(Objective& objective, Projection& set, const double* start, const GradientDescentOptions& options,
                               Observer* observer) {
  return descend(objective, &set, start, options, observer);
}

OptimResult GradientDescentOptions::minimise(const Task& task) const {
  return descend(task.objective, task.set, task.start, *this, task.observer);
}

}  // namespace gramian
