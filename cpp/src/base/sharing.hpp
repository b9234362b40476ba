// SPDX-License-Identifier: BSD-3-Clause
// When a loop is worth more than one thread: a matter of what has just happened to others.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

namespace gramian::base_detail {

using Nanoseconds = std::chrono::nanoseconds::rep;

inline Nanoseconds now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Sharing {
 public:
  /// Seconds that a loop must take to be worth a second thread, and half of them for each thread more: at least these.
  static constexpr double least_worth = 0.1e-3;

  /// As of `time`, for threads that stay awake for so long after each loop.
  double worth(Nanoseconds time, Nanoseconds stay_awake) const {
    if (time < apart_until_.load(std::memory_order_relaxed)) return worth_waiting;
    const Nanoseconds end = last_end_.load(std::memory_order_relaxed);
    return end != never && time < end + stay_awake ? least_worth : worth_waking;
  }

  /// A shared loop has ended; the last of its threads began so long after it.
  void ended(Nanoseconds time, Nanoseconds latest) {
    last_end_.store(time, std::memory_order_relaxed);
    if (latest > late) apart_until_.store(time + times_late_apart * latest, std::memory_order_relaxed);
  }

 private:
  static constexpr double worth_waking = 0.5e-3;
  // Without a processor of its own a thread begins when the system's scheduler thinks fit, milliseconds later, and OpenMP waits
  // for it. After that loops are not shared for some time, unless they take longer than such a wait.
  static constexpr double worth_waiting = 8e-3;
  static constexpr Nanoseconds late = 500'000;
  static constexpr Nanoseconds times_late_apart = 20;
  static constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::min();

  std::atomic<Nanoseconds> last_end_{never};
  std::atomic<Nanoseconds> apart_until_{never};
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
