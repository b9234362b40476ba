// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/stochastic.hpp"

#include "gramian/base/stop.hpp"
#include "optim/adam_rule.hpp"
#include "optim/step_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

AdamConstants constants_of(const AdamOptions& options) {
  const AdamConstants constants{options.step, options.beta1, options.beta2, options.epsilon};
  require_adam(constants);
  return constants;
}

struct Estimates {
  std::uint64_t seed;
  Index check_every;
  Index last;  ///< number of the last step
  bool checks(Index number) const { return number == last || (check_every > 0 && number % check_every == 0); }
};

/// move(x, gradient, t) for t = 0, 1, ... on estimates; it returns the length of the step.
template <class Move>
void follow(StochasticObjective& objective, Course& course, Point& point, const Estimates& estimates, Move move) {
  course.evaluate(point);
  bool more = course.begin(point);
  for (Index number = 1; more; ++number) {
    poll_stop();
    const auto t = static_cast<std::uint64_t>(number - 1);
    point.value = objective.sample(point.x.data(), estimates.seed, t, point.gradient.data());
    point.gradient_norm = largest_magnitude(point.gradient.data(), size_of(point.gradient));
    course.count_estimate();
    if (!point.finite()) return course.stop(StopReason::not_finite);
    const double step = move(point.x, point.gradient, number - 1);
    course.count_iteration(number);
    if (!estimates.checks(number)) continue;
    course.evaluate(point);
    more = course.advance(number, point, step);
  }
}

template <class Options>
Course course_of(Objective& objective, const Options& options, Observer* observer) {
  return Course(objective, {options.max_iterations, 0, options.gradient_tolerance, options.value_tolerance}, observer);
}

constexpr const char* fewer = "use fewer parameters";

}  // namespace

OptimResult sgd(StochasticObjective& objective, const double* start, const SgdOptions& options, Observer* observer) {
  require_rule(options.step, options.decay, options.momentum);
  require(options.rule != StepRule::backtracking, "rule must not be backtracking for sgd: estimates can't be compared");
  require(options.check_every >= 0, "check_every must not be negative");
  Course course = course_of(objective, options, observer);
  const Index n = objective.size();
  require_vectors(4, n, fewer);
  Point point(start, n);
  HeavyBall ball(n, options.momentum);
  follow(objective, course, point, {options.seed, options.check_every, options.max_iterations},
         [&](Numbers& x, const Numbers& gradient, Index t) {
           const double step = length_of_step(options.rule, options.step, options.decay, t);
           ball.move(x, gradient, step);
           return step;
         });
  return course.finish();
}

OptimResult adam(Objective& objective, const double* start, const AdamOptions& options, Observer* observer) {
  const AdamConstants constants = constants_of(options);
  Course course = course_of(objective, options, observer);
  const Index n = objective.size();
  require_vectors(5, n, fewer);
  Point point(start, n);
  AdamRule rule(constants, n);
  course.evaluate(point);
  bool more = course.begin(point);
  for (Index number = 1; more; ++number) {
    poll_stop();
    const double step = rule.move(point.x, point.gradient);
    course.evaluate(point);
    more = course.advance(number, point, step);
  }
  return course.finish();
}

OptimResult stochastic_adam(StochasticObjective& objective, const double* start, const AdamOptions& options, Observer* observer) {
  const AdamConstants constants = constants_of(options);
  require(options.check_every >= 0, "check_every must not be negative");
  Course course = course_of(objective, options, observer);
  const Index n = objective.size();
  require_vectors(5, n, fewer);
  Point point(start, n);
  AdamRule rule(constants, n);
  follow(objective, course, point, {options.seed, options.check_every, options.max_iterations},
         [&](Numbers& x, const Numbers& gradient, Index) { return rule.move(x, gradient); });
  return course.finish();
}

}  // namespace gramian
