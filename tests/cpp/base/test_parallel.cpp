// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/parallel.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "support/check.hpp"

namespace {

using gramian::Index;
using gramian::max_workers;
using gramian::parallel_for;
using gramian::set_num_threads;
using Milliseconds = std::chrono::milliseconds;

constexpr double large = 1.0;  // seconds a task is said to take: enough for every thread

/// The number of threads of one test.
struct Threads {
  explicit Threads(int threads) { set_num_threads(threads); }
  ~Threads() { set_num_threads(0); }
};

double sum_in_order(int threads) {
  const Threads scope(threads);
  std::vector<double> parts(1000);
  parallel_for(1000, large, [&](Index task, int) {
    double part = 0;
    for (int i = 1; i <= 50; ++i) part += std::sin(static_cast<double>(task) * i) / i;
    parts[static_cast<std::size_t>(task)] = part;
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

/// True if a loop of `count` tasks does each of them once, on workers that were announced.
bool each_once(Index count, double seconds = large) {
  std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
  std::atomic<bool> workers_known{true};
  const int workers = max_workers();
  parallel_for(count, seconds, [&](Index task, int worker) {
    ++done[static_cast<std::size_t>(task)];
    if (worker < 0 || worker >= workers) workers_known = false;
  });
  for (const auto& times : done) {
    if (times != 1) return false;
  }
  return workers_known;
}

TEST(every_task_once) {
  for (const int threads : {1, 2, 3, 7, 0}) {
    const Threads scope(threads);
    for (const Index count : {0, 1, 2, 5, 1000}) CHECK(each_once(count));
  }
}

TEST(workers_do_not_share_their_space) {
  const Threads scope(7);
  CHECK_EQ(max_workers(), 7);
  std::vector<std::atomic<int>> inside(7);
  std::atomic<int> clashes{0};
  parallel_for(2000, large, [&](Index, int worker) {
    auto& mine = inside[static_cast<std::size_t>(worker)];
    if (mine.fetch_add(1) != 0) ++clashes;
    std::this_thread::yield();
    --mine;
  });
  CHECK_EQ(clashes.load(), 0);
}

/// The tasks of a loop that were not the calling thread's.
int tasks_of_others(Index count, double seconds, Milliseconds sleep = Milliseconds(0)) {
  std::atomic<int> others{0};
  const auto self = std::this_thread::get_id();
  parallel_for(count, seconds, [&](Index, int worker) {
    if (worker != 0 || std::this_thread::get_id() != self) ++others;
    std::this_thread::sleep_for(sleep);
  });
  return others;
}

TEST(several_threads_take_part) {
  const Threads scope(3);
  std::atomic<int> present{0};
  std::atomic<bool> together{false};
  // Each task waits for another one, so that a single thread would wait in vain.
  parallel_for(2, large, [&](Index, int) {
    ++present;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (present < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (present == 2) together = true;
  });
  CHECK(together);
}

TEST(short_loops_are_shared_while_threads_are_awake) {
  const Threads scope(2);
  constexpr double brief = 1e-4;
  // Not every time: on a busy machine threads may be late, or more than their moment may pass.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  int shared = 0;
  while (shared == 0 && std::chrono::steady_clock::now() < end) {
    tasks_of_others(2, large, Milliseconds(1));
    shared = tasks_of_others(2, brief, Milliseconds(1));
    if (gramian::thread_report().backend == "pool") break;  // whose threads sleep at once
  }
  CHECK_EQ(shared > 0, gramian::thread_report().backend == "openmp");
  std::this_thread::sleep_for(Milliseconds(20));
  CHECK_EQ(tasks_of_others(2, brief), 0);
}

/// Other programs, as it were: four for each processor.
class Crowd {
 public:
  Crowd() {
    for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); ++i) {
      threads_.emplace_back([this] {
        while (!over_.load(std::memory_order_relaxed)) {
        }
      });
    }
  }
  ~Crowd() {
    over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

/// Whether none of some loops of a millisecond is shared.
bool keeps_to_itself() {
  for (int loop = 0; loop < 3; ++loop) {
    if (tasks_of_others(2, 0.5e-3, Milliseconds(1)) > 0) return false;
  }
  return true;
}

TEST(after_a_crowd_made_threads_late_short_loops_are_not_shared) {
  if (std::thread::hardware_concurrency() < 2 || gramian::thread_report().backend != "openmp") return;
  const Threads scope(2);
  tasks_of_others(2, large, Milliseconds(1));  // there are threads now, which need not be made
  bool alone = false;
  for (int round = 0; round < 20 && !alone; ++round) {
    {
      const Crowd crowd;
      for (int loop = 0; loop < 5; ++loop) tasks_of_others(2, large, Milliseconds(1));
    }
    alone = keeps_to_itself();
  }
  CHECK(alone);
  std::this_thread::sleep_for(Milliseconds(1100));
  bool shared = false;
  for (int attempt = 0; attempt < 1000 && !shared; ++attempt) shared = !keeps_to_itself();
  CHECK(shared);
}

TEST(more_threads_than_processors_are_what_was_asked_for) {
  const Threads scope(2 * static_cast<int>(std::thread::hardware_concurrency()) + 1);
  bool shared = true;
  for (int loop = 0; loop < 5 && shared; ++loop) {
    tasks_of_others(20, large, Milliseconds(1));
    shared = !keeps_to_itself();
  }
  CHECK(shared);
}

TEST(same_bits_for_any_number_of_threads) {
  const double one = sum_in_order(1);
  CHECK_EQ(sum_in_order(2), one);
  CHECK_EQ(sum_in_order(7), one);
}

TEST(negative_counts_are_refused) {
  CHECK_THROWS(std::invalid_argument, parallel_for(-1, large, [](Index, int) {}));
  CHECK_THROWS(std::invalid_argument, set_num_threads(-1));
}

TEST(exception_ends_the_loop_and_the_next_one_runs) {
  for (const int threads : {1, 2, 7}) {
    const Threads scope(threads);
    std::atomic<int> begun{0};
    CHECK_THROWS(std::domain_error, parallel_for(100000, large, [&](Index task, int) {
                   ++begun;
                   if (task == 10) throw std::domain_error("task 10");
                   std::this_thread::sleep_for(std::chrono::microseconds(20));
                 }));
    CHECK(begun < 50000);
    CHECK(each_once(100));
  }
}

TEST(all_tasks_may_throw) {
  const Threads scope(7);
  for (int round = 0; round < 20; ++round) {
    CHECK_THROWS(std::domain_error, parallel_for(50, large, [](Index, int) { throw std::domain_error("each"); }));
  }
}

TEST(nested_loop_runs_on_its_task_thread) {
  const Threads scope(4);
  std::vector<int> sums(40, 0);
  std::atomic<int> strangers{0};
  parallel_for(40, large, [&](Index task, int) {
    const auto self = std::this_thread::get_id();
    if (max_workers() != 1) ++strangers;
    parallel_for(10, large, [&](Index inner, int worker) {
      if (worker != 0 || std::this_thread::get_id() != self) ++strangers;
      sums[static_cast<std::size_t>(task)] += static_cast<int>(inner);
    });
  });
  CHECK_EQ(strangers.load(), 0);
  for (const int sum : sums) CHECK_EQ(sum, 45);
  CHECK_EQ(max_workers(), 4);
}

TEST(small_work_stays_on_the_calling_thread) {
  const Threads scope(4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double seconds : {0.0, 9e-7, -1.0, nan}) CHECK_EQ(tasks_of_others(100, seconds), 0);
}

TEST(short_loops_need_one_worker) {
  const Threads scope(4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double seconds : {0.0, 4e-5}) CHECK_EQ(max_workers(seconds), 1);
  for (const double seconds : {1e-3, large, nan}) CHECK_EQ(max_workers(seconds), 4);
}

/// Says yes after some time, and notes who asked.
struct Deadline : gramian::StopCheck {
  bool should_stop() override {
    askers.insert(std::this_thread::get_id());
    return std::chrono::steady_clock::now() > end;
  }
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + Milliseconds(50);
  std::set<std::thread::id> askers;
};

TEST(stop_check_ends_a_long_loop_from_the_calling_thread_only) {
  for (const int threads : {1, 3}) {
    const Threads scope(threads);
    Deadline deadline;
    const gramian::StopScope stop(deadline);
    const auto start = std::chrono::steady_clock::now();
    CHECK_THROWS(gramian::Interrupted,
                 parallel_for(60000, large, [](Index, int) { std::this_thread::sleep_for(Milliseconds(1)); }));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    CHECK(deadline.askers == std::set<std::thread::id>{std::this_thread::get_id()});
  }
}

TEST(concurrent_callers) {
  const Threads scope(3);
  std::atomic<int> ready{0}, good{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      ++ready;
      while (ready < 4) std::this_thread::yield();
      for (int round = 0; round < 50; ++round) good += each_once(64);
    });
  }
  for (auto& caller : callers) caller.join();
  CHECK_EQ(good.load(), 200);
}

TEST(raise_by_another_thread_waits_until_this_one_asks) {
  const Threads scope(2);
  const int workers = max_workers();
  std::thread([] { set_num_threads(8); }).join();
  std::atomic<int> beyond{0};
  parallel_for(500, large, [&](Index, int worker) {
    if (worker >= workers) ++beyond;
    std::this_thread::yield();
  });
  CHECK_EQ(beyond.load(), 0);
  CHECK_EQ(max_workers(), 8);
}

TEST(report_says_what_decided) {
  {
    const Threads scope(4);
    const auto report = gramian::thread_report();
    CHECK_EQ(report.threads, 4);
    CHECK_EQ(report.reason, std::string("set_num_threads(4)"));
    CHECK(report.backend == "openmp" || report.backend == "pool");
  }
  const auto report = gramian::thread_report();
  CHECK(report.threads >= 1);
  CHECK_EQ(report.threads, max_workers());
  CHECK(!report.reason.empty());
}

TEST(reason_expected_by_the_environment) {
  const char* expected = std::getenv("GRAMIAN_TEST_REASON");
  if (expected == nullptr) return;  // set by the test below, which starts this one in a process of its own
  const std::string reason = gramian::thread_report().reason;
  const bool same = *expected != '!' ? reason == expected : reason.find("OMP_NUM_THREADS") == std::string::npos;
  CHECK(same);
}

#if defined(__linux__)

/// The variable is read when a process starts, so each value needs one.
bool reason_is(const std::string& variable, const std::string& reason) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
  if (length <= 0) return false;
  const std::string command = "OMP_NUM_THREADS='" + variable + "' GRAMIAN_TEST_REASON='" + reason + "' '" +
                              std::string(self, static_cast<std::size_t>(length)) + "' reason_expected >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

TEST(the_variable_is_honoured_and_nonsense_is_not) {
  CHECK(reason_is("1", "OMP_NUM_THREADS=1"));
  CHECK(reason_is(" 1,3", "OMP_NUM_THREADS=1"));
  CHECK(!reason_is("1", "OMP_NUM_THREADS=2"));
  for (const char* nonsense : {"0", "-3", "abc", "3x", "", "99999999999999999999"}) CHECK(reason_is(nonsense, "!"));
}

int child_work() {
  if (gramian::thread_report().reason != "forked child: one thread") return 2;
  if (!each_once(1000)) return 3;
  set_num_threads(5);
  if (max_workers() != 1 || !each_once(1000)) return 4;
  return 0;
}

/// What the child left with; -1 if it had to be killed.
int exit_code_of(pid_t child) {
  for (int wait = 0; wait < 1000; ++wait) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    std::this_thread::sleep_for(Milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -1;
}

TEST(forked_child_runs_and_exits) {
  const Threads scope(3);
  CHECK(each_once(1000));
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) std::exit(child_work());  // exit, not _exit: destructors at the end must not hang either
  CHECK(child > 0);
  CHECK_EQ(exit_code_of(child), 0);
  CHECK(each_once(1000));
  CHECK_EQ(max_workers(), 3);
}

#endif

}  // namespace

TEST_MAIN
