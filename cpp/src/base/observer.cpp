// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/observer.hpp"

#include <algorithm>

namespace gramian {

Observer::~Observer() = default;

TimeLimit::TimeLimit(double seconds) {
  constexpr double century = 3e9;  // more would overflow the clock
  const std::chrono::duration<double> left(std::clamp(seconds, 0.0, century));
  end_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(left);
}

bool TimeLimit::observe(const Iteration&, const double*) { return std::chrono::steady_clock::now() < end_; }

}  // namespace gramian
