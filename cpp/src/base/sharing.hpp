// SPDX-License-Identifier: BSD-3-Clause
// When a loop is worth more than one thread: a matter of what has just happened to others.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

namespace gramian::base_detail {

using Nanoseconds = std::chrono::nanoseconds::rep;

inline Nanoseconds now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::min();

/// Shorter loops are one thread's in any case.
constexpr double least_shared = 0.15e-3;

/// The loops of one thread that calls for others. Those stay awake for a moment after each loop, so that of loops that follow
/// each other, as in the steps of a search, only the first one has to wake them: what they take counts together.
class LoopRun {
 public:
  /// A loop of so many seconds begins. How many threads the run is worth.
  double worth(double seconds, Nanoseconds time, Nanoseconds stay_awake) {
    if (end_ == never || time >= end_ + stay_awake) seconds_ = 0.0;
    seconds_ += seconds;
    return seconds_ / seconds_per_thread;
  }

  /// The threads that there are, which need not be made.
  int team() const { return team_; }

  void ended(Nanoseconds time, int team) {
    end_ = time;
    team_ = std::max(team_, team);
  }

 private:
  static constexpr double seconds_per_thread = 0.25e-3;

  Nanoseconds end_ = never;
  double seconds_ = 0.0;
  int team_ = 1;
};

/// Without a processor of its own a thread begins when the system's scheduler thinks fit, milliseconds later, and OpenMP waits
/// for it. After that loops are not shared for some time, unless they take longer than such a wait.
class Lateness {
 public:
  bool keeps_apart(double seconds, Nanoseconds time) const {
    return seconds < worth_waiting && time < until_.load(std::memory_order_relaxed);
  }

  /// The last thread of a shared loop that ended at `time` was so late to begin.
  void note(Nanoseconds time, Nanoseconds latest) {
    if (latest <= tolerated) return;
    const Nanoseconds until = time + std::min(times_late * latest, longest);
    if (until > until_.load(std::memory_order_relaxed)) until_.store(until, std::memory_order_relaxed);
  }

 private:
  static constexpr double worth_waiting = 8e-3;
  static constexpr Nanoseconds tolerated = 500'000;
  static constexpr Nanoseconds times_late = 20;
  static constexpr Nanoseconds longest = 1'000'000'000;  // a process that was stopped for an hour is no busy machine

  std::atomic<Nanoseconds> until_{never};
};

/// The largest of what several threads have seen.
class Latest {
 public:
  void see(Nanoseconds value) {
    Nanoseconds known = value_.load(std::memory_order_relaxed);
    while (known < value && !value_.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
  }
  Nanoseconds value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Nanoseconds> value_{0};
};

}  // namespace gramian::base_detail
