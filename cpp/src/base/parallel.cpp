// SPDX-License-Identifier: BSD-3-Clause
// The policy: how many threads, and what a loop does with them. How threads come about is the back end's.
#include "gramian/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "base/cgroup.hpp"
#include "base/parallel_backend.hpp"
#include "base/sharing.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

using base_detail::backend_request;
using base_detail::least_shared;
using base_detail::Nanoseconds;

// Some OpenMP run-times end the process when the system refuses a thread, so a slip of the hand must not ask for a million.
constexpr int most_threads = 1024;

std::atomic<int> chosen_threads{0};       // set_num_threads
std::atomic<long> first_parallel_pid{0};  // the process that started threads; 0: none yet
std::atomic<bool> region_in_use{false};
base_detail::Lateness lateness;
thread_local base_detail::LoopRun run;
thread_local bool inside_task = false;

/// What max_workers() last told this thread, and the outside request that it rested on.
struct Promise {
  int workers = 0;
  int request = 0;
};
thread_local Promise promise;

long process_id() {
#if defined(_WIN32)
  return 1;  // no fork
#else
  return static_cast<long>(getpid());
#endif
}

/// fork copies the calling thread alone: threads that the parent started are gone, but their run-time still waits for them.
bool forked_after_threads() {
  const long pid = first_parallel_pid.load(std::memory_order_relaxed);
  return pid != 0 && pid != process_id();
}

/// Read once: a quota seldom changes while a process lives, and the files cost more than a short loop.
const std::optional<double>& cpu_quota() {
  static const std::optional<double> quota = base_detail::cgroup_cpu_quota();
  return quota;
}

enum class Cause { forked, nested, chosen, request, processors, quota };

struct Decision {
  int threads;
  Cause cause;
};

Decision decide(int request) {
  if (forked_after_threads()) return {1, Cause::forked};
  if (inside_task) return {1, Cause::nested};
  if (const int chosen = chosen_threads.load(std::memory_order_relaxed); chosen > 0) return {chosen, Cause::chosen};
  Decision decision{std::min(base_detail::backend_processors(), most_threads), Cause::processors};
  if (const auto& quota = cpu_quota(); quota && std::ceil(*quota) < decision.threads) {
    decision = {std::max(1, static_cast<int>(std::ceil(*quota))), Cause::quota};
  }
  const bool stated = request == base_detail::environment_threads();
  if (request > 0 && (request < decision.threads || (stated && request == decision.threads))) {
    decision = {request, Cause::request};
  }
  return decision;
}

std::string counted(int count, const char* noun) { return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s"); }

std::string describe(const Decision& decision) {
  switch (decision.cause) {
    case Cause::forked: return "forked child: one thread";
    case Cause::nested: return "inside a task: one thread";
    case Cause::chosen: return "set_num_threads(" + std::to_string(decision.threads) + ")";
    case Cause::request:
      if (decision.threads == base_detail::environment_threads()) return "OMP_NUM_THREADS=" + std::to_string(decision.threads);
      return "OpenMP limit of " + counted(decision.threads, "thread");
    case Cause::quota: {
      char figure[32];
      std::snprintf(figure, sizeof(figure), "%.3g", cpu_quota().value_or(0));
      return std::string("container quota of ") + figure + (std::strcmp(figure, "1") == 0 ? " processor" : " processors");
    }
    case Cause::processors: break;
  }
#if defined(__linux__)
  if (decision.threads < sysconf(_SC_NPROCESSORS_ONLN)) return "affinity mask of " + counted(decision.threads, "processor");
#endif
  return counted(decision.threads, "processor") + " of the machine";
}

/// Somebody who asks for more threads than processors has late ones always, and wants them.
bool have_processors(int workers) { return workers <= base_detail::backend_processors(); }

/// A loop's threads. Scratch space was sized by max_workers() a moment ago, and since then another thread may have raised the
/// number: what this thread was told stays its bound until it asks again or itself changes the OpenMP setting.
int loop_workers(Index count, double seconds) {
  if (inside_task || count < 2 || !(seconds >= least_shared)) return 1;
  const Nanoseconds time = base_detail::now();
  const double worth = run.worth(seconds, time, base_detail::backend_time_awake().count());
  if (worth < 2.0) return 1;
  const int request = backend_request();
  int workers = decide(request).threads;
  if (promise.workers > 0 && promise.request == request) workers = std::min(workers, promise.workers);
  if (lateness.keeps_apart(seconds, time) && have_processors(workers)) return 1;
  const double wanted = std::min(worth, static_cast<double>(count));
  // OpenMP ends the threads that it is not asked for, and makes them again.
  const double kept = base_detail::backend_is_team() ? run.team() : 1;
  return static_cast<int>(std::min<double>(workers, std::max(wanted, kept)));
}

class TaskScope {
 public:
  TaskScope() : outer_(inside_task) { inside_task = true; }
  ~TaskScope() { inside_task = outer_; }
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

 private:
  bool outer_;
};

/// The process runs one parallel loop at a time: a second caller works alone instead of fighting the first one for processors.
class RegionTurn {
 public:
  RegionTurn() : taken_(!region_in_use.exchange(true, std::memory_order_acquire)) {}
  ~RegionTurn() {
    if (taken_) region_in_use.store(false, std::memory_order_release);
  }
  RegionTurn(const RegionTurn&) = delete;
  RegionTurn& operator=(const RegionTurn&) = delete;
  bool taken() const { return taken_; }

 private:
  bool taken_;
};

void run_serial(Index count, FunctionRef<void(Index, int)> body) {
  TaskScope scope;
  for (Index task = 0; task < count; ++task) {
    poll_stop();
    body(task, 0);
  }
}

void run_parallel(int workers, Index count, FunctionRef<void(Index, int)> body) {
  std::atomic<Index> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  base_detail::Latest latest;
  const Nanoseconds begin = base_detail::now();
  base_detail::backend_run(workers, [&](int worker) {
    TaskScope scope;
    if (worker != 0) latest.see(base_detail::now() - begin);
    try {
      while (!failed.load(std::memory_order_relaxed)) {
        if (worker == 0) poll_stop();  // before a task is taken: one that is taken is run, as others may wait for it
        const Index task = next.fetch_add(1, std::memory_order_relaxed);
        if (task >= count) return;
        body(task, worker);
      }
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  });
  const Nanoseconds end = base_detail::now();
  const bool made = workers > run.team();  // which takes its time too
  if (base_detail::backend_is_team() && !made && have_processors(workers)) lateness.note(end, latest.value());
  run.ended(end, workers);
  if (error) std::rethrow_exception(error);
}

}  // namespace

namespace base_detail {

int environment_threads() {
  static const int threads = [] {
    const char* text = std::getenv("OMP_NUM_THREADS");
    if (text == nullptr) return 0;
    text += std::strspn(text, " \t");
    int value = 0;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    const bool ends = *end == '\0' || std::strchr(", \t", *end) != nullptr;  // a list gives one number for each nesting level
    return error == std::errc() && ends && value > 0 ? value : 0;
  }();
  return threads;
}

}  // namespace base_detail

void parallel_for(Index count, double task_seconds, FunctionRef<void(Index task, int worker)> body) {
  require(count >= 0, "parallel_for: the number of tasks must not be negative");
  const double seconds = static_cast<double>(count) * task_seconds;
  const int workers = loop_workers(count, seconds);
  if (workers > 1) {
    RegionTurn turn;
    if (turn.taken()) {
      long nobody = 0;
      first_parallel_pid.compare_exchange_strong(nobody, process_id(), std::memory_order_relaxed);
      return run_parallel(workers, count, body);
    }
  }
  run_serial(count, body);
  if (!inside_task && seconds >= least_shared) run.ended(base_detail::now(), 1);
}

int max_workers() {
  const int request = backend_request();
  const int workers = decide(request).threads;
  if (!inside_task) promise = {workers, request};
  return workers;
}

int max_workers(double seconds) {
  constexpr double rounding = 0.5;  // of the caller's sum, against that of the loop; and some more
  return seconds < rounding * least_shared ? 1 : max_workers();
}

void set_num_threads(int threads) {
  require(threads >= 0, "set_num_threads: the number of threads must not be negative");
  chosen_threads.store(std::min(threads, most_threads), std::memory_order_relaxed);
  if (!inside_task) promise = {};  // a task, or a StopCheck, may run between the sizing of scratch space and its use
}

ThreadReport thread_report() {
  const Decision decision = decide(backend_request());
  return {decision.threads, describe(decision), base_detail::backend_name()};
}

}  // namespace gramian
