// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/stochastic.hpp"

#include <limits>
#include <stdexcept>

#include "support/optimisers.hpp"

using gramian::adam;
using gramian::AdamOptions;
using gramian::Index;
using gramian::OptimResult;
using gramian::sgd;
using gramian::SgdOptions;
using gramian::StepRule;
using gramian::stochastic_adam;
using gramian::StopReason;
using problems::Function;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

const std::vector<Problem> everything = problems::all_problems();

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void check_solved(const Problem& problem, const Function& function, const OptimResult& result, double accuracy) {
  CHECK(problems::is_optimum(problem, result.x, accuracy));
  CHECK_EQ(result.evaluations, function.evaluations + function.samples);
  problems::check_result(problem, result);
}

/// One step of Adam as it is printed.
void textbook(const AdamOptions& options, int t, const Numbers& g, Numbers& m, Numbers& v, Numbers& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    m[i] = options.beta1 * m[i] + (1.0 - options.beta1) * g[i];
    v[i] = options.beta2 * v[i] + (1.0 - options.beta2) * g[i] * g[i];
    const double m_hat = m[i] / (1.0 - std::pow(options.beta1, t)), v_hat = v[i] / (1.0 - std::pow(options.beta2, t));
    x[i] -= options.step * m_hat / (std::sqrt(v_hat) + options.epsilon);
  }
}

}  // namespace

TEST(every_problem_is_solved) {
  for (const Problem& problem : everything) {
    AdamOptions options;
    options.max_iterations = 30000;
    if (problem.solvers & problems::adam) {
      Function function(problem);
      const OptimResult result = adam(function, problem.start.data(), options);
      CHECK(result.stop_reason == StopReason::gradient);
      check_solved(problem, function, result, problem.accuracy);
    }
    if ((problem.solvers & problems::estimates) == 0) continue;
    Function function(problem), other(problem);
    check_solved(problem, function, stochastic_adam(function, problem.start.data(), options), 1e-3);
    SgdOptions sgd_options;
    sgd_options.max_iterations = 100000;
    sgd_options.step = 1e-3;
    check_solved(problem, other, sgd(other, problem.start.data(), sgd_options), 1e-3);
  }
}

TEST(adam_is_the_printed_algorithm) {
  const Problem problem = problems::wood();
  const AdamOptions options{60, 0.05, 0.8, 0.95, 1e-6, 0.0, 0.0, 5, 1};
  for (const bool estimates : {false, true}) {
    Function function(problem);
    Watcher watcher(4);
    (estimates ? stochastic_adam(function, problem.start.data(), options, &watcher)
               : adam(function, problem.start.data(), options, &watcher));
    Numbers x = problem.start, m(4), v(4), g(4);
    for (int t = 1; t <= 60; ++t) {
      if (estimates) {
        function.sample(x.data(), 5, static_cast<std::uint64_t>(t - 1), g.data());
      } else {
        problem.f(x.data(), g.data());
      }
      textbook(options, t, g, m, v, x);
      for (std::size_t i = 0; i < 4; ++i) CHECK_NEAR(watcher.xs[static_cast<std::size_t>(t - 1)][i], x[i], 1e-11);
    }
  }
}

TEST(sgd_is_its_formula) {
  const Problem problem = problems::beale();
  for (const StepRule rule : {StepRule::constant, StepRule::inverse_time, StepRule::inverse_root}) {
    const SgdOptions options{50, rule, 1e-3, 0.3, 0.6, 9, 1, 0.0, 0.0};
    Function function(problem);
    Watcher watcher(2);
    sgd(function, problem.start.data(), options, &watcher);
    Numbers x = problem.start, v(2), g(2);
    for (int t = 0; t < 50; ++t) {
      const double slowed = 1.0 + 0.3 * t;
      const double step =
          rule == StepRule::constant ? 1e-3 : 1e-3 / (rule == StepRule::inverse_time ? slowed : std::sqrt(slowed));
      function.sample(x.data(), 9, static_cast<std::uint64_t>(t), g.data());
      for (std::size_t i = 0; i < 2; ++i) {
        v[i] = 0.6 * v[i] - step * g[i];
        x[i] += v[i];
        CHECK_NEAR(watcher.xs[static_cast<std::size_t>(t)][i], x[i], 1e-13);
      }
    }
  }
}

TEST(the_whole_objective_is_evaluated_where_it_was_asked) {
  const Problem problem = problems::beale();
  for (const Index every : {0, 1, 7, 100}) {
    SgdOptions options;
    options.max_iterations = 20;
    options.step = 1e-4;
    options.check_every = every;
    Function function(problem);
    Watcher watcher(2);
    const OptimResult result = sgd(function, problem.start.data(), options, &watcher);
    std::vector<Index> numbers, expected = {0};
    for (const auto& iteration : result.history) numbers.push_back(iteration.number);
    for (Index i = 1; i <= 20; ++i) {
      if (i == 20 || (every > 0 && i % every == 0)) expected.push_back(i);
    }
    CHECK(numbers == expected);
    CHECK_EQ(watcher.xs.size() + 1, expected.size());
    CHECK_EQ(function.samples, 20);
    CHECK_EQ(function.evaluations, static_cast<Index>(expected.size()));
    CHECK_EQ(result.iterations, 20);
    CHECK(result.stop_reason == StopReason::max_iterations);
  }
}

TEST(a_seed_is_all_there_is_to_chance) {
  const Problem problem = problems::beale();
  const auto solve = [&](std::uint64_t seed) {
    SgdOptions options;
    options.max_iterations = 30;
    options.step = 1e-3;
    options.seed = seed;
    Function function(problem);
    return sgd(function, problem.start.data(), options).x;
  };
  CHECK(solve(1) == solve(1));
  CHECK(solve(1) != solve(2));
}

TEST(each_reason_to_stop) {
  const Problem problem = problems::booth();
  const double* start = problem.start.data();
  Function function(problem);
  SgdOptions options;
  options.max_iterations = 5000;
  options.step = 0.05;
  options.gradient_tolerance = 1e-3;
  const OptimResult result = sgd(function, start, options);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK(result.gradient_norm <= 1e-3);
  options.value_tolerance = 0.999;
  options.check_every = 1;
  options.step = 1e-3;
  CHECK(sgd(function, start, options).stop_reason == StopReason::value);
  AdamOptions adam_options;
  CHECK(adam(function, start, adam_options).stop_reason == StopReason::max_iterations);
  Watcher watcher(2, 3);
  CHECK(adam(function, start, adam_options, &watcher).stop_reason == StopReason::observer);
  Watcher other(2, 3);
  CHECK(stochastic_adam(function, start, adam_options, &other).stop_reason == StopReason::observer);
  CHECK_EQ(other.iterations.back().number, 150);
}

TEST(out_of_the_domain_is_noticed_at_once) {
  // Its logarithm has an end: x <= 1 from 30 steps of 0.1 on, if signs alone count.
  const auto barrier = [](const double* x, double* g) {
    if (g != nullptr) g[0] = 1.0;
    return x[0] > 1.0 ? x[0] : not_a_number;
  };
  Function function(1, barrier);
  const double start = 4.05;
  AdamOptions options;
  options.step = 0.1;
  const OptimResult result = adam(function, &start, options);
  CHECK(result.stop_reason == StopReason::not_finite);
  CHECK_EQ(result.iterations, 31);
  CHECK_NEAR(result.x[0], 1.05, 1e-6);
  CHECK_NEAR(result.value, 1.05, 1e-6);
  SgdOptions long_steps;
  long_steps.step = 0.5;
  const OptimResult estimated = sgd(function, &start, long_steps);
  CHECK(estimated.stop_reason == StopReason::not_finite);
  CHECK(estimated.iterations < 50);
  CHECK_EQ(estimated.x[0], start);
}

TEST(exceptions_come_out_and_options_are_checked) {
  const double start = 0.0;
  Function throwing(1, [](const double*, double*) -> double { throw std::range_error("mine"); });
  CHECK_THROWS(std::range_error, adam(throwing, &start));
  CHECK_THROWS(std::range_error, sgd(throwing, &start));
  Function fine(1, [](const double* x, double* g) { return g[0] = 2.0 * x[0], x[0] * x[0]; });
  const auto refused = [&](auto field, double bad) {
    AdamOptions options;
    options.*field = bad;
    CHECK_THROWS(std::invalid_argument, adam(fine, &start, options));
    CHECK_THROWS(std::invalid_argument, stochastic_adam(fine, &start, options));
  };
  for (const double bad : {0.0, -1.0, HUGE_VAL, not_a_number}) {
    refused(&AdamOptions::step, bad);
    refused(&AdamOptions::epsilon, bad);
  }
  for (const double bad : {-0.1, 1.0, not_a_number}) {
    refused(&AdamOptions::beta1, bad);
    refused(&AdamOptions::beta2, bad);
  }
  AdamOptions adam_options;
  adam_options.check_every = -1;
  CHECK_THROWS(std::invalid_argument, stochastic_adam(fine, &start, adam_options));
  SgdOptions options;
  options.rule = StepRule::backtracking;
  CHECK_THROWS(std::invalid_argument, sgd(fine, &start, options));
  options = {};
  options.check_every = -1;
  CHECK_THROWS(std::invalid_argument, sgd(fine, &start, options));
  options = {};
  options.momentum = 1.0;
  CHECK_THROWS(std::invalid_argument, sgd(fine, &start, options));
  options = {};
  options.max_iterations = -1;
  CHECK_THROWS(std::invalid_argument, sgd(fine, &start, options));
  CHECK_EQ(fine.evaluations + fine.samples, 0);
}

TEST_MAIN
