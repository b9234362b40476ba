// SPDX-License-Identifier: BSD-3-Clause
#include "optim/continued.hpp"

#include <vector>

#include "support/check.hpp"

using namespace gramian;
using optim_detail::append;
using optim_detail::Continued;

namespace {

/// A search of so many iterations, each of two evaluations, down to `value`.
OptimResult search(Index iterations, double value) {
  OptimResult result;
  for (Index i = 0; i <= iterations; ++i) {
    result.history.push_back({i, value + static_cast<double>(iterations - i), 0.5, 1.0, 2 * i + 1, 2 * i + 1});
  }
  result.iterations = iterations;
  result.evaluations = 2 * iterations + 1;
  result.value = value;
  result.x = {value};
  result.stop_reason = StopReason::gradient;
  return result;
}

struct Seen : Observer {
  bool observe(const Iteration& iteration, const double*) override {
    iterations.push_back(iteration);
    return true;
  }
  std::vector<Iteration> iterations;
};

}  // namespace

TEST(searches_one_after_the_other_are_one) {
  OptimResult all = search(3, 10.0);
  Seen seen;
  Continued watch(seen, all);
  const OptimResult more = search(2, 5.0);
  for (const Iteration& iteration : more.history) watch.observe(iteration, nullptr);
  append(more, all);
  CHECK_EQ(all.iterations, 5);
  CHECK_EQ(all.evaluations, 12);
  CHECK_EQ(all.value, 5.0);
  CHECK_EQ(all.x[0], 5.0);
  CHECK_EQ(all.history.size(), std::size_t(6));  // the start of the second one is where the first one ended
  for (std::size_t i = 0; i < all.history.size(); ++i) CHECK_EQ(all.history[i].number, static_cast<Index>(i));
  for (std::size_t i = 1; i < seen.iterations.size(); ++i) {
    CHECK_EQ(seen.iterations[i].number, all.history[3 + i].number);
    CHECK_EQ(seen.iterations[i].evaluations, all.history[3 + i].evaluations);
    CHECK_EQ(seen.iterations[i].evaluation, all.history[3 + i].evaluation);
  }
}

TEST_MAIN
