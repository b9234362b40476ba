// SPDX-License-Identifier: BSD-3-Clause
// Loops over threads. Only this file knows whether OpenMP or the library's own pool runs them.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"

namespace gramian {

/// A reference to a callable that outlives the call: what std::function does, without its allocation.
template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))), call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::add_pointer_t<std::remove_reference_t<F>>>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

/// Calls body(task, worker) once for every task in [0, count); worker in [0, max_workers()) names the thread's scratch space.
///
/// Results do not depend on the number of threads as long as each task writes what no other task writes: tasks are cut by the
/// caller, never by the number of threads, and a sum over tasks is the caller's, in the order of the tasks.
///
/// Tasks are taken in their order, and one that is taken is run: a task may wait for tasks before it, if no task throws.
///
/// task_seconds is a rough cost of one task. One thread does everything if all tasks take less than half a millisecond; or less
/// than 0.15 of one, where loops follow each other and threads are awake; or less than eight, for a while after threads came late
/// because other programs keep the processors busy. The first exception of any task ends the loop and is rethrown here; so does
/// the StopCheck of the calling thread. A parallel_for inside a task runs on that task's thread.
GRAMIAN_API void parallel_for(Index count, double task_seconds, FunctionRef<void(Index task, int worker)> body);

/// How many workers a parallel_for that starts now on this thread may use, at most.
GRAMIAN_API int max_workers();

/// The same for loops that are said to take `seconds` each, all tasks together, or less. For short ones that is 1, and the system
/// is not asked, which takes longer than some of them.
GRAMIAN_API int max_workers(double seconds);

/// Sets the number of threads for all later work of the process; 0 returns to the default. std::invalid_argument if negative.
GRAMIAN_API void set_num_threads(int threads);

/// How many threads work, and why.
struct ThreadReport {
  int threads;          ///< what max_workers() says
  std::string reason;   ///< what decided it: a variable, the affinity mask, a container's quota, a forked child, ...
  std::string backend;  ///< "openmp" or "pool"
};

/// The threads that a parallel_for which starts now on this thread may use.
GRAMIAN_API ThreadReport thread_report();

}  // namespace gramian
