// SPDX-License-Identifier: BSD-3-Clause
// How the tasks of one parallel_for wait for each other.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "base/view_ops.hpp"
#include "gramian/base/index.hpp"

namespace gramian {

/// Counters that only grow. A task may wait for tasks before it alone (base/parallel.hpp), and must not throw.
class Progress {
 public:
  explicit Progress(Index counters)
      : more_(counters <= few ? nullptr : new std::atomic<Index>[static_cast<std::size_t>(counters)]) {
    for (Index i = 0; i < counters; ++i) at(i).store(0, std::memory_order_relaxed);
  }

  /// What was written before set(counter, value) is visible after wait_for(counter, value).
  void set(Index counter, Index value) { at(counter).store(value, std::memory_order_release); }

  void wait_for(Index counter, Index value) const {
    // Whoever is waited for is running, unless the system took its processor away: then it should get this one.
    constexpr int most_spins = 2000;
    for (int spins = 0; at(counter).load(std::memory_order_acquire) < value; ++spins) {
      if (spins > most_spins) std::this_thread::yield();
    }
  }

 private:
  static constexpr Index few = 32;  // without memory of their own: a small system is factorized again and again
  std::atomic<Index>& at(Index counter) const { return (more_ ? more_.get() : few_)[counter]; }

  mutable std::atomic<Index> few_[few];
  std::unique_ptr<std::atomic<Index>[]> more_;
};

}  // namespace gramian
