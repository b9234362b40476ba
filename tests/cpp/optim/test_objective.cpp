// SPDX-License-Identifier: BSD-3-Clause
// The problems that optimisers are tested on are what they say.
#include "gramian/optim/objective.hpp"

#include <limits>

#include "support/optimisers.hpp"

using gramian::Index;
using problems::Numbers;
using problems::Problem;

namespace {

const std::vector<Problem> everything = problems::all_problems();

/// Whether the gradient at x is that of differences in each coordinate.
bool has_gradient(const Problem& problem, const Numbers& x, double wrong = 1.0) {
  Numbers g(x.size());
  problem.f(x.data(), g.data());
  bool right = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const difference::Real scale = std::max(1.0, std::fabs(x[i]));
    const auto along = [&](difference::Real t) {
      difference::Numbers moved(x.begin(), x.end());
      moved[i] += t;
      return problem.exactly(moved.data());
    };
    const difference::Real magnitude = std::fabs(along(0)) + scale * std::fabs(static_cast<difference::Real>(g[i]));
    const auto slope = difference::slope(along, 1e-4L * scale, magnitude);
    // The gradient itself is of sums in double, of terms that may be as large as its largest entry.
    double largest = 1.0;
    for (const double entry : g) largest = std::max(largest, std::fabs(entry));
    right = right && difference::agrees(g[i] * wrong, slope, 1e-12L * largest, largest);
  }
  return right;
}

/// The start, moved a little: entries of a gradient at a symmetric point could hide each other.
Numbers somewhere(const Problem& problem) {
  Numbers x = problem.start;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.1 * static_cast<double>(i + 1);
  return x;
}

}  // namespace

TEST(gradients_are_those_of_differences) {
  for (const Problem& problem : everything) {
    CHECK(has_gradient(problem, somewhere(problem)));
    CHECK(!has_gradient(problem, somewhere(problem), 1.01));
  }
}

TEST(optima_are_stationary_and_have_their_value) {
  for (const Problem& problem : everything) {
    const double start = problem.f(problem.start.data(), nullptr);
    for (const Numbers& optimum : problem.optima) {
      Numbers g(optimum.size());
      CHECK_NEAR(problem.f(optimum.data(), g.data()), problem.value, 1e-13 * start);
      for (const double entry : g) CHECK_NEAR(entry, 0.0, 1e-9);
    }
    CHECK(problem.value < start);
    CHECK(!problems::is_optimum(problem, problem.start, problem.accuracy));
  }
}

TEST(estimates_have_the_gradient_as_their_mean) {
  const Problem problem = problems::beale();
  problems::Function function(problem);
  Numbers g(2), estimate(2), mean(2);
  const int draws = 4000;
  function.evaluate(problem.start.data(), g.data());
  for (std::uint64_t step = 0; step < draws; ++step) {
    function.sample(problem.start.data(), 3, step, estimate.data());
    for (std::size_t i = 0; i < 2; ++i) mean[i] += estimate[i] / draws;
  }
  // An estimate is 0 or 2 g: its standard deviation is |g|; five of them.
  for (std::size_t i = 0; i < 2; ++i) CHECK_NEAR(mean[i], g[i], 5.0 * std::fabs(g[i]) / std::sqrt(draws));
}

TEST_MAIN
