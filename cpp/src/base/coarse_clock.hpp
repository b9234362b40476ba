// SPDX-License-Identifier: BSD-3-Clause
// A steady clock for those who ask often and need no more than milliseconds.
#pragma once

#include <chrono>
#if defined(__linux__)
#include <time.h>
#endif

namespace gramian::base_detail {

/// Late by some milliseconds at most, and never early. Where the system has a clock of its ticks it takes a sixth of the time
/// of an exact one, which a short loop feels.
inline std::chrono::nanoseconds coarse_time() {
#if defined(__linux__) && defined(CLOCK_MONOTONIC_COARSE)
  timespec now{};
  if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0)
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
#endif
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace gramian::base_detail
