// SPDX-License-Identifier: BSD-3-Clause
// L-BFGS finds optima, and each of its steps is what the textbook says.
#include "gramian/optim/lbfgs.hpp"

#include <limits>
#include <utility>

#include "gramian/base/parallel.hpp"
#include "support/optimisers.hpp"

using gramian::Index;
using gramian::lbfgs;
using gramian::LbfgsOptions;
using gramian::OptimResult;
using gramian::StopReason;
using problems::dot;
using problems::Function;
using problems::gradient_at;
using problems::minus;
using problems::norm;
using problems::Numbers;
using problems::Problem;
using problems::Watcher;

namespace {

const std::vector<Problem> everything = problems::all_problems();

/// All points of a run, the start first.
std::vector<Numbers> points_of(const Problem& problem, const LbfgsOptions& options) {
  Function function(problem);
  Watcher watcher(problem.size());
  lbfgs(function, problem.start.data(), options, &watcher);
  watcher.xs.insert(watcher.xs.begin(), problem.start);
  return watcher.xs;
}

void check_wolfe(const Problem& problem, const Numbers& x, const Numbers& next, const LbfgsOptions& options) {
  const Numbers step = minus(next, x), from = gradient_at(problem, x), to = gradient_at(problem, next);
  const double before = problem.f(x.data(), nullptr), after = problem.f(next.data(), nullptr);
  // Points are rounded, so the step that is seen is not quite the one that was taken.
  const double rounding = 0x1p-51 * (norm(x) + norm(next));
  CHECK(after < before);
  CHECK(after <= before + options.sufficient_decrease * (dot(from, step) + norm(from) * rounding));
  CHECK(std::fabs(dot(to, step)) <= -options.curvature * dot(from, step) + (norm(from) + norm(to)) * rounding);
}

/// The dense inverse Hessian of BFGS, from pairs first .. last - 1 of the points, times g.
Numbers dense_direction(const Problem& problem, const std::vector<Numbers>& x, std::size_t first, std::size_t last) {
  const std::size_t n = x[0].size();
  std::vector<Numbers> H(n, Numbers(n));
  for (std::size_t i = 0; i < n; ++i) H[i][i] = 1.0;
  for (std::size_t k = first; k < last; ++k) {
    const Numbers s = minus(x[k + 1], x[k]), y = minus(gradient_at(problem, x[k + 1]), gradient_at(problem, x[k]));
    if (k == first) {  // the scale is that of the newest pair
      const Numbers s1 = minus(x[last], x[last - 1]),
                    y1 = minus(gradient_at(problem, x[last]), gradient_at(problem, x[last - 1]));
      for (std::size_t i = 0; i < n; ++i) H[i][i] = dot(s1, y1) / dot(y1, y1);
    }
    Numbers Hy(n);
    for (std::size_t i = 0; i < n; ++i) Hy[i] = dot(H[i], y);
    const double sy = dot(s, y), yHy = dot(y, Hy);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        H[i][j] += (1.0 + yHy / sy) * s[i] * s[j] / sy - (Hy[i] * s[j] + s[i] * Hy[j]) / sy;
      }
    }
  }
  Numbers d(n);
  const Numbers g = gradient_at(problem, x[last]);
  for (std::size_t i = 0; i < n; ++i) d[i] = -dot(H[i], g);
  return d;
}

/// A sum of many small problems that are coupled, long enough for several threads.
double long_chain(const double* x, double* g) {
  constexpr Index n = 60000;
  double sum = 0.0;
  std::fill_n(g, n, 0.0);
  for (Index i = 0; i + 1 < n; ++i) {
    const double a = x[i] - 1.0, b = x[i + 1] - x[i] * x[i];
    sum += a * a + b * b;
    g[i] += 2.0 * a - 4.0 * x[i] * b;
    g[i + 1] += 2.0 * b;
  }
  return sum;
}

}  // namespace

TEST(every_problem_is_solved) {
  for (const Problem& problem : everything) {
    for (const Index memory : {1, 3, 20}) {
      Function function(problem);
      LbfgsOptions options;
      options.memory = memory;
      options.max_iterations = 20000;
      const OptimResult result = lbfgs(function, problem.start.data(), options);
      CHECK(gramian::converged(result.stop_reason));
      CHECK(result.gradient_norm <= 1e-8 || result.stop_reason == StopReason::value);
      CHECK(problems::is_optimum(problem, result.x, problem.accuracy));
      CHECK_NEAR(result.value, problem.value, 1e-10);
      CHECK_EQ(result.evaluations, function.evaluations);
      CHECK_EQ(result.history.back().evaluations, function.evaluations);
      problems::check_result(problem, result);
    }
  }
}

TEST(each_step_satisfies_the_strong_wolfe_conditions) {
  for (const auto& [sufficient_decrease, curvature] : {std::pair(1e-4, 0.9), std::pair(0.3, 0.4), std::pair(1e-3, 0.01)}) {
    LbfgsOptions options;
    options.sufficient_decrease = sufficient_decrease;
    options.curvature = curvature;
    Index steps = 0;
    for (const Problem& problem : everything) {
      const std::vector<Numbers> x = points_of(problem, options);
      for (std::size_t k = 1; k < x.size(); ++k, ++steps) check_wolfe(problem, x[k - 1], x[k], options);
    }
    CHECK(steps > 200);
  }
}

TEST(directions_are_those_of_the_dense_matrix) {
  Problem problem = problems::rosenbrock(10);
  for (std::size_t i = 0; i < 10; ++i) problem.start[i] += 0.1 * static_cast<double>(i);  // its five valleys are no longer one
  for (const std::size_t memory : {std::size_t(1), std::size_t(3), std::size_t(8)}) {
    LbfgsOptions options;
    options.memory = static_cast<Index>(memory);
    options.max_iterations = 20;
    const std::vector<Numbers> x = points_of(problem, options);
    CHECK_EQ(x.size(), std::size_t(21));
    for (std::size_t k = 1; k < 20; ++k) {
      const Numbers taken = minus(x[k + 1], x[k]), expected = dense_direction(problem, x, k - std::min(k, memory), k);
      const double cosine = dot(taken, expected) / (norm(taken) * norm(expected));
      CHECK_NEAR(cosine, 1.0, 1e-9);
      if (k > memory + 1) {  // a pair too many shows: the check can fail
        const Numbers other = dense_direction(problem, x, k - memory - 1, k);
        CHECK(dot(taken, other) / (norm(taken) * norm(other)) < 1.0 - 1e-9);
      }
    }
  }
}

TEST(the_first_step_that_is_tried_has_length_one) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    std::vector<double> seen;
    Function function(1, [&](const double* x, double* g) {
      seen.push_back(x[0]);
      g[0] = scale * (x[0] - 30.0);
      return 0.5 * scale * (x[0] - 30.0) * (x[0] - 30.0);
    });
    const double start = 10.0;
    lbfgs(function, &start);
    CHECK_NEAR(seen[1], 11.0, 1e-12);
  }
}

TEST(what_is_out_of_the_domain_is_never_taken) {
  for (const double outside : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
    for (const bool in_gradient : {false, true}) {
      // sum_i c_i x_i - log x_i, with optimum 1 / c_i; the first step leads far out.
      const Numbers c = {1e-3, 1.0, 50.0}, start = {1e-3, 3.0, 1e-4};
      Index refused = 0;
      Function function(3, [&](const double* x, double* g) {
        double sum = 0.0;
        bool inside = true;
        for (std::size_t i = 0; i < 3; ++i) {
          inside = inside && x[i] > 0.0;
          sum += c[i] * x[i] - std::log(std::fabs(x[i]));
          g[i] = c[i] - 1.0 / x[i];
        }
        if (inside) return sum;
        ++refused;
        if (in_gradient) g[1] = outside;
        return in_gradient ? sum - 1e3 : outside;
      });
      const OptimResult result = lbfgs(function, start.data());
      CHECK(gramian::converged(result.stop_reason));
      CHECK(refused > 0);
      for (std::size_t i = 0; i < 3; ++i) CHECK_NEAR(result.x[i] * c[i], 1.0, 1e-4);
    }
  }
}

TEST(a_kink_is_approached) {
  // |x_0 - 1| + 3 |x_1 + 2| + (x_0 + x_1)^2 / 10: no step has a small slope near the optimum (1, -2).
  Function function(2, [](const double* x, double* g) {
    const double a = x[0] - 1.0, b = x[1] + 2.0, c = x[0] + x[1];
    g[0] = (a > 0.0 ? 1.0 : -1.0) + 0.2 * c;
    g[1] = (b > 0.0 ? 3.0 : -3.0) + 0.2 * c;
    return std::fabs(a) + 3.0 * std::fabs(b) + 0.1 * c * c;
  });
  const Numbers start = {5.0, 4.0};
  const OptimResult result = lbfgs(function, start.data());
  CHECK(result.value >= 0.1 && result.value < 0.11);
  CHECK(function.evaluations < 200);
  for (std::size_t i = 1; i < result.history.size(); ++i) CHECK(result.history[i].value < result.history[i - 1].value);
}

TEST(one_number_and_none) {
  const double start = 5.0;
  Function none(0, [](const double*, double*) { return 1.0; });
  Function one(1, [](const double* x, double* g) { return g[0] = 2.0 * (x[0] - 2.0), (x[0] - 2.0) * (x[0] - 2.0); });
  CHECK(lbfgs(none, &start).stop_reason == StopReason::gradient);
  CHECK_NEAR(lbfgs(one, &start).x[0], 2.0, 1e-8);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  constexpr Index n = 60000;
  const Numbers start(n, 0.3);
  LbfgsOptions options;
  options.max_iterations = 15;
  Function function(n, long_chain);
  gramian::set_num_threads(1);
  const OptimResult one = lbfgs(function, start.data(), options);
  CHECK_EQ(one.iterations, 15);
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    const OptimResult other = lbfgs(function, start.data(), options);
    CHECK(other.x == one.x);
    CHECK_EQ(other.value, one.value);
  }
  gramian::set_num_threads(0);
}

TEST_MAIN
