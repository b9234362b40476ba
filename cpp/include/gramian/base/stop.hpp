// SPDX-License-Identifier: BSD-3-Clause
// Stopping long computations. The library installs no signal handler: the program that calls it decides when to stop.
#pragma once

#include "gramian/base/export.hpp"

namespace gramian {

/// Implemented by the caller; asked between blocks of work, on the thread that called the engine and on no other.
class GRAMIAN_API StopCheck {
 public:
  virtual ~StopCheck();
  virtual bool should_stop() = 0;
};

/// While it lives, work that this thread starts asks `check` at most every 10 ms, and throws Interrupted once it says yes.
/// Scopes nest; the innermost one is asked.
class GRAMIAN_API StopScope {
 public:
  explicit StopScope(StopCheck& check);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The one that is asked again when this scope ends, null if there is none: for a check that passes the question on.
  StopCheck* outer() const { return outer_; }

 private:
  StopCheck* outer_;
};

/// Asks the innermost StopCheck of this thread, if it is time to; throws Interrupted if the answer is yes.
GRAMIAN_API void poll_stop();

}  // namespace gramian
