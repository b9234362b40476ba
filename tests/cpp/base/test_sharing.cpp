// SPDX-License-Identifier: BSD-3-Clause
#include "base/sharing.hpp"

#include <thread>
#include <vector>

#include "support/check.hpp"

namespace {

using gramian::base_detail::Lateness;
using gramian::base_detail::Latest;
using gramian::base_detail::LoopRun;
using gramian::base_detail::Nanoseconds;

constexpr Nanoseconds microsecond = 1000, millisecond = 1000 * microsecond, second = 1000 * millisecond, start = 1000 * second;
constexpr double brief = 0.2e-3;

/// What a run is worth whose threads stay awake for a millisecond.
double worth(LoopRun& run, double seconds, Nanoseconds time) { return run.worth(seconds, time, millisecond); }

TEST(a_loop_alone_is_worth_what_it_takes) {
  CHECK(LoopRun().worth(brief, start, millisecond) < 2.0);
  CHECK(LoopRun().worth(0.5e-3, start, millisecond) >= 2.0);
  CHECK(LoopRun().worth(1.0, start, millisecond) > 1000.0);
}

TEST(loops_that_follow_each_other_are_worth_what_they_take_together) {
  LoopRun run;
  CHECK(worth(run, brief, start) < 2.0);
  run.ended(start + 200 * microsecond, 1);
  CHECK(worth(run, brief, start + 300 * microsecond) < 2.0);
  run.ended(start + 500 * microsecond, 1);
  CHECK(worth(run, brief, start + 600 * microsecond) >= 2.0);
}

TEST(a_pause_ends_a_run) {
  LoopRun run;
  worth(run, 1.0, start);
  run.ended(start, 4);
  CHECK(worth(run, brief, start + millisecond - 1) > 1000.0);
  run.ended(start, 4);
  CHECK(worth(run, brief, start + millisecond) < 2.0);
}

TEST(threads_that_sleep_at_once_make_no_runs) {
  LoopRun run;
  run.worth(1.0, start, 0);
  run.ended(start, 4);
  CHECK(run.worth(brief, start, 0) < 2.0);
}

TEST(a_team_does_not_shrink) {
  LoopRun run;
  CHECK_EQ(run.team(), 1);
  run.ended(start, 4);
  run.ended(start, 1);
  CHECK_EQ(run.team(), 4);
  worth(run, brief, start + second);
  CHECK_EQ(run.team(), 4);
}

TEST(after_a_late_thread_only_long_loops_are_shared_for_a_while) {
  Lateness lateness;
  CHECK(!lateness.keeps_apart(brief, start));
  lateness.note(start, 100 * microsecond);
  CHECK(!lateness.keeps_apart(brief, start));
  const Nanoseconds late = 4 * millisecond;
  lateness.note(start, late);
  CHECK(lateness.keeps_apart(brief, start));
  CHECK(lateness.keeps_apart(1e-9 * static_cast<double>(late), start + 10 * late));  // less is not worth such a wait
  CHECK(!lateness.keeps_apart(1.0, start));
  CHECK(!lateness.keeps_apart(brief, start + 100 * late));
}

TEST(a_while_is_not_shortened_by_what_comes_in_it) {
  Lateness lateness;
  lateness.note(start, 20 * millisecond);
  lateness.note(start + millisecond, 0);
  lateness.note(start + millisecond, millisecond);
  CHECK(lateness.keeps_apart(brief, start + 300 * millisecond));
}

TEST(a_process_that_was_stopped_is_not_kept_apart_for_long) {
  Lateness lateness;
  lateness.note(start, 3600 * second);
  CHECK(lateness.keeps_apart(brief, start));
  CHECK(!lateness.keeps_apart(brief, start + 2 * second));
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

}  // namespace

TEST_MAIN
