// SPDX-License-Identifier: BSD-3-Clause
// Why L-BFGS stops, and what it refuses.
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "support/optimisers.hpp"

using gramian::Index;
using gramian::lbfgs;
using gramian::LbfgsOptions;
using gramian::OptimResult;
using gramian::StopReason;
using problems::Function;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

const Problem problem = problems::rosenbrock(2);

OptimResult solve(const LbfgsOptions& options, gramian::Observer* observer = nullptr) {
  Function function(problem);
  const OptimResult result = lbfgs(function, problem.start.data(), options, observer);
  problems::check_result(problem, result);
  return result;
}

double nan() { return std::numeric_limits<double>::quiet_NaN(); }

class Always final : public gramian::StopCheck {
 public:
  bool should_stop() override { return true; }
};

}  // namespace

TEST(reasons_to_have_converged) {
  LbfgsOptions options;
  options.gradient_tolerance = 1e-3;
  OptimResult result = solve(options);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK(result.gradient_norm <= 1e-3);
  for (std::size_t i = 0; i + 1 < result.history.size(); ++i) CHECK(result.history[i].gradient_norm > 1e-3);
  options.gradient_tolerance = 0.0;
  options.value_tolerance = 0.5;
  result = solve(options);
  CHECK(result.stop_reason == StopReason::value);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    const double before = result.history[i - 1].value, after = result.history[i].value;
    CHECK_EQ(before - after <= 0.5 * before, i + 1 == result.history.size());
  }
}

TEST(a_start_at_the_optimum_costs_one_evaluation) {
  Function function(problem);
  const OptimResult result = lbfgs(function, problem.optima[0].data());
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK_EQ(result.iterations, 0);
  CHECK_EQ(function.evaluations, 1);
  CHECK(result.x == problem.optima[0]);
}

TEST(limits_are_kept) {
  LbfgsOptions options;
  for (const Index limit : {0, 1, 7}) {
    options.max_iterations = limit;
    const OptimResult result = solve(options);
    CHECK(result.stop_reason == StopReason::max_iterations);
    CHECK_EQ(result.iterations, limit);
    CHECK_EQ(result.history.size(), static_cast<std::size_t>(limit + 1));
  }
  options = {};
  double last = HUGE_VAL;
  for (Index limit = 1; limit <= 30; ++limit) {
    options.max_evaluations = limit;
    const OptimResult result = solve(options);
    CHECK(result.stop_reason == StopReason::max_evaluations);
    CHECK_EQ(result.evaluations, limit);
    CHECK(result.value <= last);
    last = result.value;
  }
  CHECK(last < 1.0);
}

TEST(an_observer_stops_it) {
  Watcher watcher(2, 4);
  const OptimResult result = solve({}, &watcher);
  CHECK(result.stop_reason == StopReason::observer);
  CHECK_EQ(result.iterations, 4);
  CHECK_EQ(watcher.iterations.size(), std::size_t(4));
  CHECK(watcher.xs.back() == result.x);
  for (std::size_t i = 0; i < 4; ++i) CHECK_EQ(watcher.iterations[i].value, result.history[i + 1].value);
}

TEST(a_wrong_gradient_is_noticed) {
  for (const double factor : {-1.0, -1e-3}) {
    Function function(2, [&](const double* x, double* g) {
      const double value = problem.f(x, g);
      for (int i = 0; i < 2; ++i) g[i] *= factor;
      return value;
    });
    const OptimResult result = lbfgs(function, problem.start.data());
    CHECK(result.stop_reason == StopReason::line_search);
    CHECK(!gramian::converged(result.stop_reason));
    CHECK(result.x == problem.start);
    CHECK(function.evaluations < 100);
  }
  // A constant one: steps lower the value as long as the true one is near it.
  Function stuck(1, [](const double* x, double* g) { return g[0] = 1.0, x[0] * x[0]; });
  const double start = 3.0;
  const OptimResult result = lbfgs(stuck, &start);
  CHECK(result.stop_reason == StopReason::line_search);
  CHECK(result.value < 9.0);
}

TEST(rounding_ends_a_line_search) {
  // A gradient of 1e-13 can't be reached: values near 1e6 are known to 1e-10.
  Function function(2, [](const double* x, double* g) {
    const double value = problem.f(x, g);
    return value + 1e6;
  });
  LbfgsOptions options;
  options.value_tolerance = 0.0;
  options.gradient_tolerance = 1e-13;
  const OptimResult result = lbfgs(function, problem.start.data(), options);
  CHECK(result.stop_reason == StopReason::line_search);
  CHECK(problems::is_optimum(problem, result.x, 1e-3));
  CHECK(function.evaluations < 200);
}

TEST(a_start_out_of_the_domain) {
  for (const double bad : {nan(), HUGE_VAL, -HUGE_VAL}) {
    Function value(1, [&](const double*, double* g) { return g[0] = 1.0, bad; });
    Function gradient(1, [&](const double*, double* g) { return g[0] = bad, 1.0; });
    const double start = 0.0;
    for (Function* function : {&value, &gradient}) {
      const OptimResult result = lbfgs(*function, &start);
      CHECK(result.stop_reason == StopReason::not_finite);
      CHECK_EQ(result.iterations, 0);
      CHECK_EQ(function->evaluations, 1);
      CHECK_EQ(result.x[0], 0.0);
    }
  }
}

TEST(a_function_without_a_bound_is_left_in_the_end) {
  Function line(1, [](const double* x, double* g) { return g[0] = -1.0, -x[0]; });
  const double start = 0.0;
  const OptimResult result = lbfgs(line, &start);
  CHECK(!gramian::converged(result.stop_reason));
  CHECK(result.value < -1e30);
}

TEST(exceptions_and_interrupts_come_out) {
  struct Mine : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  Index calls = 0;
  Function function(2, [&](const double* x, double* g) {
    if (++calls == 5) throw Mine("mine");
    return problem.f(x, g);
  });
  CHECK_THROWS(Mine, lbfgs(function, problem.start.data()));
  CHECK_EQ(calls, 5);

  Always check;
  gramian::StopScope scope(check);
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  Function asked(problem);
  CHECK_THROWS(gramian::Interrupted, lbfgs(asked, problem.start.data()));
  CHECK_EQ(asked.evaluations, 1);
}

TEST(options_out_of_range_are_refused) {
  const auto refused = [](auto field, auto value) {
    LbfgsOptions options;
    options.*field = value;
    Function function(problem);
    CHECK_THROWS(std::invalid_argument, lbfgs(function, problem.start.data(), options));
    CHECK_EQ(function.evaluations, 0);
  };
  refused(&LbfgsOptions::max_iterations, -1);
  refused(&LbfgsOptions::max_evaluations, -1);
  refused(&LbfgsOptions::memory, 0);
  for (const double bad : {-1e-3, nan(), HUGE_VAL}) {
    refused(&LbfgsOptions::gradient_tolerance, bad);
    refused(&LbfgsOptions::value_tolerance, bad);
  }
  for (const double bad : {0.0, -0.5, 0.95, 1.0, nan()}) refused(&LbfgsOptions::sufficient_decrease, bad);
  for (const double bad : {1e-5, 1.0, 2.0, nan()}) refused(&LbfgsOptions::curvature, bad);
}

TEST(memory_that_does_not_fit_is_refused) {
  LbfgsOptions options;
  options.memory = Index(1) << 40;
  options.max_iterations = Index(1) << 40;
  Function function(problem);
  CHECK_THROWS(gramian::MemoryLimitError, lbfgs(function, problem.start.data(), options));
}

TEST_MAIN
