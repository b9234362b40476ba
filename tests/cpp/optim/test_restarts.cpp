// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/restarts.hpp"

#include <atomic>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "support/optimisers.hpp"

using gramian::Index;
using gramian::OptimResult;
using gramian::RestartResult;
using gramian::run_restarts;
using gramian::StopReason;
using problems::Function;
using problems::Numbers;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Himmelblau's function, tilted so that its four valleys differ.
OptimResult tilted(Index i) {
  const problems::Problem problem = problems::himmelblau();
  const gramian::RandomStream random(11, static_cast<std::uint64_t>(i));
  const Numbers start = {random.normal(0) * 4.0, random.normal(1) * 4.0};
  Function function(2, [&](const double* x, double* g) {
    const double value = problem.f(x, g) + x[0] - 0.3 * x[1];
    g[0] += 1.0;
    g[1] -= 0.3;
    return value;
  });
  return gramian::lbfgs(function, start.data());
}

OptimResult with_value(double value, StopReason reason = StopReason::gradient) {
  OptimResult result;
  result.value = value;
  result.stop_reason = reason;
  return result;
}

RestartResult best_of(const Numbers& values) {
  return run_restarts(static_cast<Index>(values.size()),
                      [&](Index i) { return with_value(values[static_cast<std::size_t>(i)]); });
}

class After final : public gramian::StopCheck {
 public:
  explicit After(int milliseconds) : end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds)) {}
  bool should_stop() override { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace

TEST(the_best_valley_is_found_with_the_same_bits_for_any_number_of_threads) {
  RestartResult first;
  for (const int threads : {1, 2, 7}) {
    gramian::set_num_threads(threads);
    const RestartResult result = run_restarts(20, &tilted);
    CHECK_EQ(result.values.size(), std::size_t(20));
    CHECK_EQ(result.stop_reasons.size(), std::size_t(20));
    CHECK_EQ(result.best.value, *std::min_element(result.values.begin(), result.values.end()));
    CHECK_EQ(result.best.value, result.values[static_cast<std::size_t>(result.best_index)]);
    CHECK(result.best.x == tilted(result.best_index).x);
    CHECK(result.best.x[0] < -2.0 && result.best.x[1] > 2.0);  // the valley that the tilt deepens most
    if (threads == 1) {
      first = result;
      CHECK(*std::max_element(result.values.begin(), result.values.end()) > result.best.value + 1.0);
    }
    CHECK(result.values == first.values);
    CHECK(result.best.x == first.best.x);
    CHECK_EQ(result.best_index, first.best_index);
  }
  gramian::set_num_threads(0);
}

TEST(the_lowest_finite_value_wins_and_the_first_of_equals) {
  CHECK_EQ(best_of({3.0, 1.0, 2.0}).best_index, 1);
  CHECK_EQ(best_of({2.0, 1.0, 1.0}).best_index, 1);
  CHECK_EQ(best_of({not_a_number, 7.0, -HUGE_VAL, HUGE_VAL}).best_index, 1);
  CHECK_EQ(best_of({not_a_number, 7.0, 6.0}).best.value, 6.0);
  CHECK_EQ(best_of({5.0}).best.value, 5.0);
}

TEST(without_a_finite_value_it_is_the_first) {
  const RestartResult result = run_restarts(3, [](Index i) {
    return with_value(i == 1 ? HUGE_VAL : not_a_number, i == 0 ? StopReason::not_finite : StopReason::max_iterations);
  });
  CHECK_EQ(result.best_index, 0);
  CHECK(std::isnan(result.best.value));
  CHECK(result.best.stop_reason == StopReason::not_finite);
}

TEST(one_start_keeps_all_threads) {
  gramian::set_num_threads(3);
  std::string reason;
  run_restarts(1, [&](Index) {
    reason = gramian::thread_report().reason;
    return OptimResult();
  });
  CHECK_EQ(reason, "set_num_threads(3)");
  gramian::set_num_threads(0);
}

TEST(what_a_run_throws_is_thrown) {
  for (const Index count : {1, 5}) {
    CHECK_THROWS(std::range_error, run_restarts(count, [&](Index i) {
                   if (i == count - 1) throw std::range_error("mine");
                   return OptimResult();
                 }));
  }
  CHECK_THROWS(std::invalid_argument, run_restarts(0, [](Index) { return OptimResult(); }));
  CHECK_THROWS(std::invalid_argument, run_restarts(-1, [](Index) { return OptimResult(); }));
}

TEST(to_stop_reaches_every_thread) {
  for (const int milliseconds : {0, 30}) {  // before the first task is taken, and in the middle of it
    gramian::set_num_threads(3);
    After check(milliseconds);
    gramian::StopScope scope(check);
    std::atomic<int> unheard{0};
    CHECK_THROWS(gramian::Interrupted, run_restarts(3, [&](Index) {
                   const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
                   while (std::chrono::steady_clock::now() < end) gramian::poll_stop();
                   ++unheard;
                   return OptimResult();
                 }));
    CHECK_EQ(unheard.load(), 0);
  }
  gramian::set_num_threads(0);
}

TEST_MAIN
