// SPDX-License-Identifier: BSD-3-Clause
// Adam with patience: on functions that have points without a value, and on estimates alone.
#include <limits>
#include <stdexcept>

#include "gramian/optim/stochastic.hpp"
#include "support/optimisers.hpp"

using gramian::AdamOptions;
using gramian::Index;
using gramian::OptimResult;
using gramian::Patience;
using gramian::StopReason;
using problems::Function;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// (x - 3)^2 with a wall: no value from `wall` on.
Function walled(double wall) {
  return Function(1, [wall](const double* x, double* g) {
    if (x[0] >= wall) return infinity;
    g[0] = 2.0 * (x[0] - 3.0);
    return (x[0] - 3.0) * (x[0] - 3.0);
  });
}

AdamOptions patient(Index iterations = 500) {
  AdamOptions options;
  options.max_iterations = iterations;
  options.step = 0.1;
  options.gradient_tolerance = 0.0;
  options.patience = Patience();
  return options;
}

AdamOptions never_stops(Index iterations) {
  AdamOptions options = patient(iterations);
  options.patience->tolerance = 0.0;
  return options;
}

/// On estimates, or on the whole objective.
OptimResult minimised(Function& function, const double* start, const AdamOptions& options, bool estimates,
                      Watcher* watcher = nullptr) {
  if (estimates) return gramian::stochastic_adam(function, start, options, watcher);
  return gramian::adam(function, start, options, watcher);
}

double mean(const std::vector<gramian::Iteration>& history, std::size_t last) {
  double sum = 0.0;
  for (std::size_t i = history.size() - last; i < history.size(); ++i) sum += history[i].value / static_cast<double>(last);
  return sum;
}

}  // namespace

TEST(on_the_whole_objective_it_is_adam) {
  const Problem problem = problems::wood();
  Function ours(problem), theirs(problem);
  Watcher watcher(4), other(4);
  const AdamOptions options = never_stops(80);
  const OptimResult result = minimised(ours, problem.start.data(), options, false, &watcher);
  gramian::adam(theirs, problem.start.data(), {80, 0.1, 0.9, 0.999, 1e-8, 0.0}, &other);
  CHECK_EQ(watcher.xs.size(), 80u);
  for (std::size_t t = 0; t < 80; ++t) CHECK(watcher.xs[t] == other.xs[t]);
  CHECK(result.stop_reason == StopReason::max_iterations);
  CHECK_EQ(ours.samples, 0);
  double best = infinity;
  for (const gramian::Iteration& iteration : result.history) best = std::min(best, iteration.value);
  CHECK_EQ(result.value, best);
  CHECK_EQ(problem.f(result.x.data(), nullptr), best);
}

TEST(with_estimates_the_result_is_the_mean_of_the_last_points) {
  const Problem problem = problems::beale();
  Function function(problem);
  Watcher watcher(2);
  AdamOptions options = never_stops(50);
  options.seed = 4;
  options.patience->average = 7;
  options.patience->window = 9;
  const OptimResult result = minimised(function, problem.start.data(), options, true, &watcher);
  CHECK_EQ(function.evaluations, 0);
  CHECK_EQ(function.samples, 51);
  CHECK_EQ(result.evaluations, 51);
  CHECK_EQ(result.history.size(), 51u);
  for (std::size_t i = 0; i < 2; ++i) {
    double sum = 0.0;
    for (std::size_t t = 43; t < 50; ++t) sum += watcher.xs[t][i] / 7.0;
    CHECK_NEAR(result.x[i], sum, 1e-14);
  }
  CHECK_NEAR(result.value, mean(result.history, 9), 1e-12);
}

TEST(a_step_out_of_the_domain_is_shortened) {
  for (const bool estimates : {false, true}) {
    Function function = walled(1.0);
    AdamOptions options = never_stops(40);
    options.step = 0.3;
    const double start = 0.0;
    const OptimResult result = minimised(function, &start, options, estimates);
    CHECK(result.stop_reason == (estimates ? StopReason::max_iterations : StopReason::line_search));
    CHECK(result.x[0] < 1.0 && result.x[0] > 0.99);
    for (const gramian::Iteration& iteration : result.history) CHECK(std::isfinite(iteration.value));
    CHECK(result.evaluations > result.iterations + 10);  // the shortened steps among them
  }
  // Where estimates stay and stay, they do not converge by it.
  Function stuck = walled(1.0);
  AdamOptions waiting = patient();
  waiting.step = 0.3;
  const double begin = 0.0;
  const OptimResult at_wall = minimised(stuck, &begin, waiting, true);
  CHECK(at_wall.stop_reason == StopReason::line_search);
  // Without shortenings it ends at the wall, and the step that led nowhere is an iteration.
  Function function = walled(1.0);
  AdamOptions options = never_stops(40);
  options.patience->shortenings = 0;
  const double start = 0.95;
  const OptimResult result = minimised(function, &start, options, false);
  CHECK(result.stop_reason == StopReason::line_search);
  CHECK_EQ(result.x[0], 0.95);
  CHECK_EQ(result.iterations, 1);
  CHECK_EQ(result.history.size(), 2u);
  CHECK_EQ(result.history[1].value, result.history[0].value);
}

TEST(an_estimate_without_a_value_anywhere_ends_it) {
  Function gone(1, [count = 0](const double*, double* g) mutable { return count++ < 4 ? g[0] = 1.0 : infinity; });
  const AdamOptions options = never_stops(40);
  const double start = 0.0;
  const OptimResult result = minimised(gone, &start, options, true);
  CHECK(result.stop_reason == StopReason::not_finite);
  CHECK(std::isfinite(result.x[0]) && std::isfinite(result.value));
}

TEST(a_start_without_a_value_is_told) {
  for (const bool estimates : {false, true}) {
    Function function = walled(1.0);
    const AdamOptions options = patient();
    const double start = 2.0;
    const OptimResult result = minimised(function, &start, options, estimates);
    CHECK(result.stop_reason == StopReason::not_finite);
    CHECK_EQ(result.x[0], 2.0);
    CHECK_EQ(result.iterations, 0);
  }
}

TEST(it_stops_once_nothing_falls_any_more) {
  Function function = walled(infinity);
  AdamOptions options = patient();
  options.max_iterations = 100000;
  const double start = 0.0;
  const OptimResult result = minimised(function, &start, options, false);
  CHECK(result.stop_reason == StopReason::value);
  CHECK_NEAR(result.x[0], 3.0, 1e-2);
  CHECK(result.iterations < 5000);
  options.patience->tolerance = 0.0;
  options.max_iterations = 2 * result.iterations;
  Function again = walled(infinity);
  CHECK(minimised(again, &start, options, false).stop_reason == StopReason::max_iterations);
}

TEST(noise_alone_does_not_keep_it_going) {
  Function noisy(1, [count = 0](const double* x, double* g) mutable {
    const double noise = gramian::RandomStream(1).normal(static_cast<std::uint64_t>(count++));
    g[0] = 2.0 * (x[0] - 3.0) + noise;
    return (x[0] - 3.0) * (x[0] - 3.0) + 1.0 + 0.1 * noise;
  });
  AdamOptions options = patient();
  options.max_iterations = 100000;
  options.patience->window = options.patience->average = 50;
  const double start = 0.0;
  const OptimResult result = minimised(noisy, &start, options, true);
  CHECK(result.stop_reason == StopReason::value);
  CHECK_NEAR(result.x[0], 3.0, 0.5);
  CHECK(result.iterations < 2000);
}

TEST(an_estimate_without_a_gradient_is_no_reason_to_stop) {
  Function flat(1, [](const double*, double* g) { return g[0] = 0.0; });
  const AdamOptions options = never_stops(10);
  const double start = 1.0;
  CHECK_EQ(minimised(flat, &start, options, true).iterations, 10);
  const OptimResult result = minimised(flat, &start, options, false);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK_EQ(result.iterations, 0);
}

TEST(an_observer_ends_it) {
  Function function = walled(infinity);
  Watcher watcher(1, 3);
  const double start = 0.0;
  const OptimResult result = minimised(function, &start, never_stops(10), false, &watcher);
  CHECK(result.stop_reason == StopReason::observer);
  CHECK_EQ(result.iterations, 3);
}

TEST(options_out_of_range) {
  const double start = 0.0;
  const auto refused = [&](auto change) {
    Function function = walled(1.0);
    AdamOptions options = patient();
    change(options);
    CHECK_THROWS(std::invalid_argument, gramian::adam(function, &start, options));
  };
  refused([](AdamOptions& o) { o.step = 0.0; });
  refused([](AdamOptions& o) { o.beta1 = 1.0; });
  refused([](AdamOptions& o) { o.patience->tolerance = -1.0; });
  refused([](AdamOptions& o) { o.patience->window = 0; });
  refused([](AdamOptions& o) { o.patience->average = 0; });
  refused([](AdamOptions& o) { o.patience->shortenings = -1; });
  refused([](AdamOptions& o) { o.max_iterations = -1; });
}

TEST_MAIN
