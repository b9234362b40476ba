// SPDX-License-Identifier: BSD-3-Clause
// What Python gives an optimiser to be watched by.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>
#include <utility>

#include "call.hpp"
#include "gramian/base/observer.hpp"

namespace gramian::python {

/// A function(number, value, gradient_norm, step, evaluations) that is called after each iteration, from whichever thread runs
/// it; False, or an exception, ends the work: all starts, if there are several. Or the seconds that all of it may take, for which
/// nobody needs the GIL, and starts run side by side. Or None. Or a pair of one of these and a Checkpoint.
class CallbackObserver final : public Observer {
 public:
  explicit CallbackObserver(py::object watch) : function_(std::move(watch)) {
    if (py::isinstance<py::tuple>(function_)) {
      const py::tuple pair = function_;
      kept_ = pair[1];
      checkpoint_ = &kept_.cast<Checkpoint&>();
      function_ = pair[0];
    }
    if (!py::isinstance<py::float_>(function_)) return;
    limit_.emplace(function_.cast<double>());
    function_ = py::none();
  }

  /// Null for None.
  Observer* if_wanted() {
    Observer* watching = limit_ ? &*limit_ : function_.is_none() ? nullptr : static_cast<Observer*>(this);
    if (checkpoint_ == nullptr) return watching;
    checkpointed_.emplace(watching, checkpoint_->whole());
    return &*checkpointed_;
  }

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
    rethrow();
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  py::object function_;
  py::object kept_;
  Checkpoint* checkpoint_ = nullptr;  // in kept_
  std::optional<Checkpointed> checkpointed_;
  std::optional<TimeLimit> limit_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace gramian::python
