// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/gradient_descent.hpp"

#include <limits>
#include <stdexcept>

#include "gramian/base/parallel.hpp"
#include "support/optimisers.hpp"

using gramian::gradient_descent;
using gramian::GradientDescentOptions;
using gramian::Index;
using gramian::OptimResult;
using gramian::projected_gradient;
using gramian::StepRule;
using gramian::StopReason;
using problems::Function;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

const std::vector<Problem> everything = problems::all_problems();

GradientDescentOptions with_rule(StepRule rule, double step, double decay, double momentum) {
  GradientDescentOptions options;
  options.max_iterations = 100000;
  options.rule = rule;
  options.step = step;
  options.decay = decay;
  options.momentum = momentum;
  options.value_tolerance = 0.0;
  return options;
}

void check_solved(const Problem& problem, const GradientDescentOptions& options) {
  Function function(problem);
  const OptimResult result = gradient_descent(function, problem.start.data(), options);
  // Where its value is not 0, rounding hides the last steps from backtracking.
  const bool hidden = options.rule == StepRule::backtracking && problem.value > 0.0;
  CHECK(result.stop_reason == StopReason::gradient || (hidden && result.stop_reason == StopReason::line_search));
  CHECK(result.gradient_norm <= (hidden ? 1e-6 : 1e-8));
  CHECK(problems::is_optimum(problem, result.x, problem.accuracy));
  CHECK_EQ(result.evaluations, function.evaluations);
  problems::check_result(problem, result);
}

class Everywhere final : public gramian::Projection {
 public:
  void project(double*) override {}
};

class Box final : public gramian::Projection {
 public:
  Box(Numbers low, Numbers high) : low_(std::move(low)), high_(std::move(high)) {}
  void project(double* x) override {
    for (std::size_t i = 0; i < low_.size(); ++i) x[i] = std::clamp(x[i], low_[i], high_[i]);
  }

 private:
  Numbers low_, high_;
};

class UnitBall final : public gramian::Projection {
 public:
  void project(double* x) override {
    const double norm = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    for (int i = 0; norm > 1.0 && i < 2; ++i) x[i] /= norm;
  }
};

const GradientDescentOptions every_rule[] = {
    with_rule(StepRule::backtracking, 1.0, 0.0, 0.0), with_rule(StepRule::constant, 0.05, 0.0, 0.0),
    with_rule(StepRule::constant, 0.02, 0.0, 0.8), with_rule(StepRule::inverse_time, 0.05, 1e-3, 0.5),
    with_rule(StepRule::inverse_root, 0.05, 1e-2, 0.0)};

}  // namespace

TEST(every_problem_is_solved) {
  for (const Problem& problem : everything) {
    if (problem.solvers & problems::descent) check_solved(problem, with_rule(StepRule::backtracking, 1.0, 0.0, 0.0));
    if ((problem.solvers & problems::fixed_steps) == 0) continue;
    check_solved(problem, with_rule(StepRule::constant, 5e-4, 0.0, 0.9));
    check_solved(problem, with_rule(StepRule::inverse_time, 5e-4, 1e-4, 0.9));
    check_solved(problem, with_rule(StepRule::inverse_root, 5e-4, 1e-4, 0.9));
  }
}

TEST(steps_of_fixed_length_are_those_of_the_formula) {
  const Problem problem = problems::beale();
  for (const StepRule rule : {StepRule::constant, StepRule::inverse_time, StepRule::inverse_root}) {
    GradientDescentOptions options = with_rule(rule, 1e-3, 0.3, 0.7);
    options.max_iterations = 50;
    Function function(problem);
    Watcher watcher(2);
    gradient_descent(function, problem.start.data(), options, &watcher);
    Numbers x = problem.start, v(2), g(2);
    for (int t = 0; t < 50; ++t) {
      const double slowed = 1.0 + 0.3 * t;
      const double step =
          rule == StepRule::constant ? 1e-3 : 1e-3 / (rule == StepRule::inverse_time ? slowed : std::sqrt(slowed));
      problem.f(x.data(), g.data());
      for (std::size_t i = 0; i < 2; ++i) {
        v[i] = 0.7 * v[i] - step * g[i];
        x[i] += v[i];
        CHECK_NEAR(watcher.xs[static_cast<std::size_t>(t)][i], x[i], 1e-13);
      }
      CHECK_NEAR(watcher.iterations[static_cast<std::size_t>(t)].step, step, 1e-16);
    }
  }
}

TEST(backtracking_halves_and_doubles_and_always_falls_enough) {
  const Problem problem = problems::rosenbrock(2);
  GradientDescentOptions options = with_rule(StepRule::backtracking, 8.0, 0.0, 0.0);
  options.max_iterations = 300;
  Function function(problem);
  Watcher watcher(2);
  const OptimResult result = gradient_descent(function, problem.start.data(), options, &watcher);
  double tried = 8.0;
  Index grown = 0, evaluations = 1;
  Numbers x = problem.start, g(2);
  for (std::size_t k = 0; k < watcher.xs.size(); ++k) {
    const gramian::Iteration& now = watcher.iterations[k];
    const double before = problem.f(x.data(), g.data()), square = g[0] * g[0] + g[1] * g[1];
    for (std::size_t i = 0; i < 2; ++i) CHECK_NEAR(watcher.xs[k][i], x[i] - now.step * g[i], 1e-15 * std::fabs(x[i]));
    CHECK(now.value <= before - 1e-4 * now.step * square * (1.0 - 1e-9));
    const double halvings = std::log2(tried / now.step);
    CHECK_EQ(now.evaluations - evaluations, 1 + static_cast<Index>(halvings));
    CHECK_EQ(halvings, std::floor(halvings));
    if (halvings > 0.0) {  // the step before the last halving did not lower the value enough
      const Numbers far = {x[0] - 2.0 * now.step * g[0], x[1] - 2.0 * now.step * g[1]};
      CHECK(!(problem.f(far.data(), nullptr) <= before - 1e-4 * 2.0 * now.step * square));
    }
    tried = halvings == 0.0 ? 2.0 * now.step : now.step;
    grown += halvings == 0.0;
    evaluations = now.evaluations;
    x = watcher.xs[k];
  }
  CHECK(grown > 20);
  CHECK_EQ(result.iterations, 300);
}

TEST(a_fall_that_is_too_small_is_not_taken) {
  // From 1 a step of 1.99995 along x^2 / 2 leads to -0.99995: lower by 5e-5, where 2e-4 is asked for.
  Function function(1, [](const double* x, double* g) { return g[0] = x[0], 0.5 * x[0] * x[0]; });
  const double start = 1.0;
  const OptimResult result = gradient_descent(function, &start, with_rule(StepRule::backtracking, 1.99995, 0.0, 0.0));
  CHECK_EQ(result.history[1].step, 1.99995 / 2);
}

TEST(a_set_that_is_everything_changes_nothing) {
  const Problem problem = problems::himmelblau();
  for (const GradientDescentOptions& options : every_rule) {
    Function function(problem);
    Everywhere everywhere;
    const OptimResult free = gradient_descent(function, problem.start.data(), options);
    const OptimResult projected = projected_gradient(function, everywhere, problem.start.data(), options);
    for (std::size_t i = 0; i < 2; ++i) CHECK_NEAR(projected.x[i], free.x[i], 1e-7);
  }
}

TEST(the_optimum_in_a_set_is_found) {
  // A separable quadratic in a box: each coordinate is clipped. In a ball: |x - c|^2 has its optimum at c / |c|.
  const Problem problem = problems::quadratic("", 4, 5.0, 0);
  Box box({-1.0, 1.7, -5.0, 2.6}, {0.5, 9.0, 5.0, 3.0});
  const Numbers clipped = {0.5, 1.7, 2.0, 2.6};
  Function nearest(2, [](const double* x, double* g) {
    g[0] = 2.0 * (x[0] - 3.0), g[1] = 2.0 * (x[1] + 4.0);
    return (x[0] - 3.0) * (x[0] - 3.0) + (x[1] + 4.0) * (x[1] + 4.0);
  });
  UnitBall ball;
  for (const GradientDescentOptions& options : every_rule) {
    Function function(problem);
    Watcher watcher(4);
    const OptimResult result = projected_gradient(function, box, problem.start.data(), options, &watcher);
    CHECK(gramian::converged(result.stop_reason) || result.stop_reason == StopReason::line_search);
    for (std::size_t i = 0; i < 4; ++i) CHECK_NEAR(result.x[i], clipped[i], 1e-7);
    for (Numbers x : watcher.xs) {
      const Numbers seen = x;
      box.project(x.data());
      CHECK(x == seen);
    }
    const Numbers far = {7.0, 7.0};
    const OptimResult on_ball = projected_gradient(nearest, ball, far.data(), options);
    CHECK_NEAR(on_ball.x[0], 0.6, 1e-7);
    CHECK_NEAR(on_ball.x[1], -0.8, 1e-7);
    CHECK(on_ball.gradient_norm <= 1e-7);
  }
}

TEST(momentum_into_a_wall_is_lost) {
  const Problem problem = problems::booth();
  Box box({-4.0, -1.0}, {-1.5, 6.0});  // the optimum, (1, 3), is behind the first wall
  GradientDescentOptions options = with_rule(StepRule::constant, 0.02, 0.0, 0.9);
  options.max_iterations = 60;
  Function function(problem);
  Watcher watcher(2);
  projected_gradient(function, box, problem.start.data(), options, &watcher);
  Numbers x = problem.start, v(2), g(2);
  Index at_wall = 0;
  for (const Numbers& seen : watcher.xs) {
    problem.f(x.data(), g.data());
    Numbers next = x;
    for (std::size_t i = 0; i < 2; ++i) next[i] += 0.9 * v[i] - 0.02 * g[i];
    box.project(next.data());
    for (std::size_t i = 0; i < 2; ++i) v[i] = next[i] - x[i];
    x = next;
    at_wall += x[0] == -1.5;
    for (std::size_t i = 0; i < 2; ++i) CHECK_NEAR(seen[i], x[i], 1e-12);
  }
  CHECK(at_wall > 5 && at_wall < 60);
}

TEST(each_reason_to_stop) {
  const Problem problem = problems::booth();
  const double* start = problem.start.data();
  Function function(problem);
  CHECK(gradient_descent(function, start).stop_reason == StopReason::gradient);
  GradientDescentOptions options;
  options.value_tolerance = 0.5;
  CHECK(gradient_descent(function, start, options).stop_reason == StopReason::value);
  options = {};
  options.max_iterations = 3;
  CHECK(gradient_descent(function, start, options).stop_reason == StopReason::max_iterations);
  CHECK_EQ(gradient_descent(function, start, options).iterations, 3);
  Watcher watcher(2, 2);
  CHECK(gradient_descent(function, start, {}, &watcher).stop_reason == StopReason::observer);
  Function wrong(2, [&](const double* x, double* g) {
    const double value = problem.f(x, g);
    g[0] = -g[0], g[1] = -g[1];
    return value;
  });
  CHECK(gradient_descent(wrong, start).stop_reason == StopReason::line_search);
  CHECK_EQ(gradient_descent(wrong, start).iterations, 0);
  Function nowhere(2, [](const double*, double*) { return std::numeric_limits<double>::quiet_NaN(); });
  CHECK(gradient_descent(nowhere, start).stop_reason == StopReason::not_finite);
}

TEST(steps_that_are_too_long_end_with_the_best_point) {
  const Problem problem = problems::booth();
  Function function(problem);
  const OptimResult result = gradient_descent(function, problem.start.data(), with_rule(StepRule::constant, 1.0, 0.0, 0.0));
  CHECK(result.stop_reason == StopReason::not_finite);
  CHECK(result.x == problem.start);
  CHECK(!std::isfinite(result.history.back().value));
}

TEST(exceptions_come_out_and_options_are_checked) {
  const Problem problem = problems::booth();
  Function throwing(2, [](const double*, double*) -> double { throw std::range_error("mine"); });
  CHECK_THROWS(std::range_error, gradient_descent(throwing, problem.start.data()));
  const double bad_number = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](StepRule rule, double step, double decay, double momentum) {
    Function function(problem);
    CHECK_THROWS(std::invalid_argument, gradient_descent(function, problem.start.data(), with_rule(rule, step, decay, momentum)));
    CHECK_EQ(function.evaluations, 0);
  };
  for (const double bad : {0.0, -1.0, HUGE_VAL, bad_number}) refused(StepRule::constant, bad, 0.0, 0.0);
  for (const double bad : {-1.0, HUGE_VAL, bad_number}) refused(StepRule::inverse_time, 1.0, bad, 0.0);
  for (const double bad : {-0.1, 1.0, bad_number}) refused(StepRule::constant, 1.0, 0.0, bad);
  refused(StepRule::backtracking, 1.0, 0.0, 0.5);
}

TEST_MAIN
