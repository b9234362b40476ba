// SPDX-License-Identifier: BSD-3-Clause
// How the engine is called from Python: without the GIL, and so that Ctrl-C ends it.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>

#include "gramian/base/stop.hpp"

namespace gramian::python {

namespace py = pybind11;

/// Runs Python's signal handlers; the exception that one of them raises stays pending on this thread.
class SignalCheck final : public StopCheck {
 public:
  bool should_stop() override {
    py::gil_scoped_acquire gil;
    pending_ = pending_ || PyErr_CheckSignals() != 0;
    return pending_;
  }
  bool pending() const { return pending_; }

 private:
  bool pending_ = false;
};

/// Calls f, which must not touch Python objects. A pending KeyboardInterrupt wins over whatever the engine threw meanwhile:
/// returning to Python with two exceptions would be an error of its own.
template <class F>
void call(F&& f) {
  SignalCheck check;
  try {
    py::gil_scoped_release release;
    StopScope scope(check);
    f();
  } catch (...) {
    if (!check.pending()) throw;
  }
  if (check.pending()) throw py::error_already_set();
}

/// The same on an object of the engine that serves one thread at a time. The GIL is released meanwhile, so such an object has a
/// lock, which is taken without the GIL alone.
template <class F>
void call(std::mutex& lock, F&& f) {
  call([&] {
    const std::lock_guard<std::mutex> held(lock);
    f();
  });
}

}  // namespace gramian::python
