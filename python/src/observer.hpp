// SPDX-License-Identifier: BSD-3-Clause
// A Python function that watches an optimiser.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <utility>

#include "call.hpp"
#include "gramian/optim/objective.hpp"

namespace gramian::python {

/// Calls function(number, value, gradient_norm, step, evaluations) after each iteration, from whichever thread runs it. False, or
/// an exception, ends the work: all starts, if there are several.
class CallbackObserver final : public Observer {
 public:
  explicit CallbackObserver(py::object function) : function_(std::move(function)) {}

  /// Null for None: then nobody asks for the GIL.
  Observer* if_wanted() { return function_.is_none() ? nullptr : this; }

  bool observe(const Iteration& it, const double*) override {
    const py::gil_scoped_acquire gil;
    if (stopped_) return false;
    try {
      stopped_ = function_(it.number, it.value, it.gradient_norm, it.step, it.evaluations).is(py::bool_(false));
    } catch (...) {
      error_ = std::current_exception();
      stopped_ = true;
    }
    return !stopped_;
  }

  /// python::call, and what the function has thrown.
  template <class F>
  void call(F&& f) {
    python::call(std::forward<F>(f));
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  py::object function_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace gramian::python
