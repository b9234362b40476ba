// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/stop.hpp"

#include <chrono>

#include "base/coarse_clock.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval{10};

thread_local StopCheck* innermost = nullptr;

// One clock for all scopes of a thread: many short calls, each with its own scope, must not ask more often than one long call.
thread_local Clock::time_point last_asked{};
thread_local std::chrono::nanoseconds coarse_last_asked{};

}  // namespace

StopCheck::~StopCheck() = default;

StopScope::StopScope(StopCheck& check) : outer_(innermost) { innermost = &check; }

StopScope::~StopScope() { innermost = outer_; }

void poll_stop() {
  if (innermost == nullptr) return;
  // Nearly every call ends here. The coarse clock may say that it is time a little early or late; early is not allowed.
  const auto coarse_now = base_detail::coarse_time();
  if (coarse_now - coarse_last_asked < poll_interval) return;
  const auto now = Clock::now();
  if (now - last_asked < poll_interval) return;
  last_asked = now;
  coarse_last_asked = coarse_now;
  if (innermost->should_stop()) throw Interrupted();
}

}  // namespace gramian
