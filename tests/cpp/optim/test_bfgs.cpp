// SPDX-License-Identifier: BSD-3-Clause
// BFGS finds optima, its directions are those of the textbook's matrix, and it comes back from where there is no value.
#include "gramian/optim/bfgs.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "support/any_threads.hpp"
#include "support/optimisers.hpp"

using gramian::bfgs;
using gramian::BfgsOptions;
using gramian::Index;
using gramian::OptimResult;
using gramian::StopReason;
using problems::dot;
using problems::Function;
using problems::gradient_at;
using problems::minus;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

const std::vector<Problem> everything = problems::all_problems();

using Rows = std::vector<Numbers>;

/// (I - rho s y^T) H (I - rho y s^T) + rho s s^T, as [NW] (6.17) has it: products of matrices.
Rows updated(const Rows& H, const Numbers& s, const Numbers& y) {
  const std::size_t n = s.size();
  const double rho = 1.0 / dot(s, y);
  Rows left(n, Numbers(n)), out(n, Numbers(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) left[i][j] += ((i == k ? 1.0 : 0.0) - rho * s[i] * y[k]) * H[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) out[i][j] += left[i][k] * ((k == j ? 1.0 : 0.0) - rho * y[k] * s[j]);
      out[i][j] += rho * s[i] * s[j];
    }
  }
  return out;
}

}  // namespace

TEST(every_problem_is_solved) {
  Index solved = 0;
  for (const Problem& problem : everything) {
    if (problem.size() > 500) continue;  // a matrix of its size is not what it is for
    Function function(problem);
    BfgsOptions options;
    options.max_iterations = 20000;
    const OptimResult result = bfgs(function, problem.start.data(), options);
    CHECK(gramian::converged(result.stop_reason));
    CHECK(problems::is_optimum(problem, result.x, problem.accuracy));
    CHECK_NEAR(result.value, problem.value, 1e-10);
    CHECK_EQ(result.evaluations, function.evaluations);
    problems::check_result(problem, result);
    ++solved;
  }
  CHECK(solved >= 5);
}

TEST(directions_are_those_of_the_textbook) {
  Problem problem = problems::rosenbrock(6);
  for (std::size_t i = 0; i < 6; ++i) problem.start[i] += 0.1 * static_cast<double>(i);
  Function function(problem);
  Watcher watcher(problem.size());
  bfgs(function, problem.start.data(), {}, &watcher);
  std::vector<Numbers> x = watcher.xs;
  x.insert(x.begin(), problem.start);
  CHECK(x.size() > 12);
  Rows H;
  for (std::size_t k = 0; k + 1 < 12; ++k) {
    const Numbers step = minus(x[k + 1], x[k]), g = gradient_at(problem, x[k]), y = minus(gradient_at(problem, x[k + 1]), g);
    Numbers direction(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) direction[i] = H.empty() ? -g[i] : -dot(H[i], g);
    // The step is a multiple of the direction.
    const double along = dot(step, direction) / std::sqrt(dot(step, step) * dot(direction, direction));
    CHECK_NEAR(along, 1.0, 1e-9);
    if (k > 1) {  // and not one of the gradient
      CHECK(std::fabs(dot(step, g)) / std::sqrt(dot(step, step) * dot(g, g)) < 1.0 - 1e-6);
    }
    if (H.empty()) {
      H.assign(g.size(), Numbers(g.size()));
      for (std::size_t i = 0; i < g.size(); ++i) H[i][i] = dot(step, y) / dot(y, y);
    }
    H = updated(H, step, y);
  }
}

TEST(a_quadratic_of_n_numbers_needs_few_more_than_n_iterations) {
  // Condition 1e6: gradient descent would need millions.
  constexpr Index n = 20;
  Function function(n, [](const double* x, double* g) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      const double a = std::pow(10.0, 6.0 * static_cast<double>(i) / (n - 1));
      sum += 0.5 * a * x[i] * x[i];
      if (g != nullptr) g[i] = a * x[i];
    }
    return sum;
  });
  const Numbers start(n, 1.0);
  BfgsOptions options;
  options.curvature = 1e-3;
  options.value_tolerance = 0.0;
  options.gradient_tolerance = 1e-6;
  const OptimResult result = bfgs(function, start.data(), options);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK(result.iterations <= 3 * n);
}

TEST(a_point_without_a_value_is_too_far) {
  // log barrier: infinity, or NaN in the gradient, for x >= 1
  Function function(2, [](const double* x, double* g) {
    if (!(x[0] < 1.0)) {
      if (g != nullptr) g[0] = g[1] = std::numeric_limits<double>::quiet_NaN();
      return std::numeric_limits<double>::infinity();
    }
    if (g != nullptr) g[0] = -5.0 + 1e-3 / (1.0 - x[0]), g[1] = 2.0 * x[1];
    return -5.0 * x[0] - 1e-3 * std::log(1.0 - x[0]) + x[1] * x[1];
  });
  const Numbers start = {-30.0, 4.0};
  const OptimResult result = bfgs(function, start.data());
  CHECK_NEAR(result.x[0], 1.0 - 2e-4, 1e-8);
  CHECK_NEAR(result.x[1], 0.0, 1e-5);
}

TEST(a_kink_is_no_obstacle_from_here) {
  Function function(2, [](const double* x, double* g) {
    const double apart = x[1] - x[0];
    if (g != nullptr) g[0] = (x[0] > 0.0 ? 1.0 : x[0] < 0.0 ? -1.0 : 0.0) - 20.0 * apart, g[1] = 20.0 * apart;
    return std::fabs(x[0]) + 10.0 * apart * apart;
  });
  const Numbers start = {0.5, -2.0};
  CHECK(bfgs(function, start.data()).value < 1e-3);
}

TEST(options_are_checked_and_limits_are_kept) {
  const Problem problem = problems::rosenbrock(4);
  Function function(problem);
  BfgsOptions options;
  options.curvature = 1e-5;
  CHECK_THROWS(std::invalid_argument, bfgs(function, problem.start.data(), options));
  options = {};
  options.max_evaluations = -1;
  CHECK_THROWS(std::invalid_argument, bfgs(function, problem.start.data(), options));
  options.max_evaluations = 7;
  CHECK_EQ(bfgs(function, problem.start.data(), options).evaluations, 7);
  options = {};
  options.max_iterations = 3;
  const OptimResult three = bfgs(function, problem.start.data(), options);
  CHECK_EQ(three.iterations, 3);
  CHECK(three.stop_reason == StopReason::max_iterations);
  Watcher watcher(problem.size(), 2);
  CHECK(bfgs(function, problem.start.data(), {}, &watcher).stop_reason == StopReason::observer);
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Problem problem = problems::rosenbrock(60);
  CHECK(check::same_for_any_threads([&] {
    Function function(problem);
    return bfgs(function, problem.start.data()).x;
  }));
}

TEST_MAIN
