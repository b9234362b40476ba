// SPDX-License-Identifier: BSD-3-Clause
#ifndef GRAMIAN_USE_OPENMP

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "base/parallel_backend.hpp"

namespace gramian::base_detail {
namespace {

/// Yields a bounded number of times until the condition holds. Loops often follow each other within microseconds, and sleeping
/// costs more than that; a yield rather than a busy wait lets others run on a machine with more to do than processors.
template <class Condition>
void spin_until(Condition condition) {
  constexpr int yields = 64;
  for (int i = 0; i < yields && !condition(); ++i) std::this_thread::yield();
}

/// Threads that wait for invitations. The caller works too and never waits for a helper that has not begun.
class Pool {
 public:
  void run(int workers, FunctionRef<void(int)> work) {
    const int helpers = grow_to(workers - 1);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      work_ = &work;
      next_worker_ = 1;
      invitations_ = helpers;
    }
    for (int i = 0; i < helpers; ++i) invited_.notify_one();
    work(0);
    withdraw();
    spin_until([this] { return busy_ == 0; });
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
  }

 private:
  void withdraw() {
    std::lock_guard<std::mutex> lock(mutex_);
    invitations_ = 0;
  }

  /// Starts threads until there are `wanted` or the system has no more; returns how many of the wanted there are.
  int grow_to(int wanted) {
    try {
      while (threads_ < wanted) {
        std::thread([this] { serve(); }).detach();
        ++threads_;
      }
    } catch (const std::system_error&) {
      // A limit on threads makes the work slower, not impossible.
    }
    return std::min(wanted, threads_);
  }

  void serve() {
    for (;;) {
      spin_until([this] { return invitations_ > 0; });
      std::unique_lock<std::mutex> lock(mutex_);
      invited_.wait(lock, [this] { return invitations_ > 0; });
      --invitations_;
      ++busy_;
      const int worker = next_worker_++;
      const FunctionRef<void(int)> work = *work_;
      lock.unlock();
      work(worker);
      lock.lock();
      if (--busy_ == 0) idle_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable invited_;
  std::condition_variable idle_;
  const FunctionRef<void(int)>* work_ = nullptr;
  int threads_ = 0;      // touched by the caller only
  int next_worker_ = 0;  // under mutex_, as everything below; atomic only where a spin reads it without
  std::atomic<int> invitations_{0};
  std::atomic<int> busy_{0};
};

}  // namespace

const char* backend_name() { return "pool"; }

int backend_request() { return environment_threads(); }

int backend_processors() {
#if defined(__linux__)
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) return std::max(1, CPU_COUNT(&mask));
#endif
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::chrono::nanoseconds backend_time_awake() { return {}; }  // some yields, and they sleep

bool backend_is_team() { return false; }

void backend_run(int workers, FunctionRef<void(int worker)> work) {
  // Never destroyed: joining at exit hangs where the threads are already gone (a forked child, a library that is being unloaded).
  static Pool& pool = *new Pool;
  pool.run(workers, work);
}

}  // namespace gramian::base_detail

#endif  // GRAMIAN_USE_OPENMP
