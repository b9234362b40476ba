// SPDX-License-Identifier: BSD-3-Clause
// How the tasks of one parallel_for wait for each other.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "gramian/base/index.hpp"

namespace gramian {

/// Counters that only grow. A task may wait for tasks before it alone (base/parallel.hpp), and must not throw.
class Progress {
 public:
  explicit Progress(Index counters) : counters_(new std::atomic<Index>[static_cast<std::size_t>(counters)]) {
    for (Index i = 0; i < counters; ++i) counters_[static_cast<std::size_t>(i)].store(0, std::memory_order_relaxed);
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
  std::atomic<Index>& at(Index counter) const { return counters_[static_cast<std::size_t>(counter)]; }

  std::unique_ptr<std::atomic<Index>[]> counters_;
};

}  // namespace gramian
