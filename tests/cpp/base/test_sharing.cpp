// SPDX-License-Identifier: BSD-3-Clause
#include "base/sharing.hpp"

#include <thread>
#include <vector>

#include "support/check.hpp"

namespace {

using gramian::base_detail::Latest;
using gramian::base_detail::Nanoseconds;
using gramian::base_detail::Sharing;

constexpr Nanoseconds millisecond = 1'000'000, start = 1000 * millisecond;

}  // namespace

TEST(short_loops_are_worth_it_while_threads_are_awake) {
  Sharing sharing;
  const double waking = sharing.worth(start, millisecond);
  CHECK(waking > Sharing::least_worth);
  sharing.ended(start, 1000);
  CHECK_EQ(sharing.worth(start, millisecond), Sharing::least_worth);
  CHECK_EQ(sharing.worth(start + millisecond - 1, millisecond), Sharing::least_worth);
  CHECK_EQ(sharing.worth(start + millisecond, millisecond), waking);
  CHECK_EQ(sharing.worth(start, 0), waking);  // threads that sleep at once
}

TEST(after_a_late_thread_only_long_loops_are_worth_it_for_a_while) {
  Sharing sharing;
  const double waking = sharing.worth(start, millisecond);
  const Nanoseconds latest = 4 * millisecond;
  sharing.ended(start, latest);
  const double waiting = sharing.worth(start, millisecond);
  CHECK(waiting > 1e-9 * static_cast<double>(latest));  // less would not be worth such a wait
  CHECK_EQ(sharing.worth(start + 10 * latest, millisecond), waiting);
  CHECK_EQ(sharing.worth(start + 100 * latest, millisecond), waking);
}

TEST(a_long_loop_in_time_does_not_end_the_while) {
  Sharing sharing;
  sharing.ended(start, 4 * millisecond);
  const double waiting = sharing.worth(start, millisecond);
  sharing.ended(start + millisecond, 1000);
  CHECK_EQ(sharing.worth(start + millisecond, millisecond), waiting);
}

TEST(latest_is_the_largest_of_any_thread) {
  Latest latest;
  std::vector<std::thread> threads;
  for (Nanoseconds t = 1; t <= 4; ++t) {
    threads.emplace_back([&latest, t] {
      for (Nanoseconds i = 0; i <= 1000; ++i) latest.see(i * t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(latest.value(), 4000);
}

TEST_MAIN
