// SPDX-License-Identifier: BSD-3-Clause
// Functions that are written in Python, as the optimisers see them: each call takes the GIL, and what it raises goes through.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>

#include "gramian/optim/result.hpp"

namespace gramian::python {

namespace py = pybind11;

/// fun(x) -> (value, gradient), and sample(x, step) -> (value, gradient), an estimate, or None.
class PythonObjective final : public StochasticObjective {
 public:
  PythonObjective(py::object fun, py::object sample, Index size)
      : fun_(std::move(fun)), sample_(std::move(sample)), size_(size) {}
  Index size() const override { return size_; }
  double evaluate(const double* x, double* gradient) override;
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override;

 private:
  py::object fun_, sample_;
  Index size_;
};

/// callback(iteration, x): False stops, anything else goes on.
class PythonObserver final : public Observer {
 public:
  PythonObserver(py::object callback, Index size) : callback_(std::move(callback)), size_(size) {}
  bool observe(const Iteration& iteration, const double* x) override;

 private:
  py::object callback_;
  Index size_;
};

/// project(x) -> the point of the set.
class PythonProjection final : public Projection {
 public:
  PythonProjection(py::object project, Index size) : project_(std::move(project)), size_(size) {}
  void project(double* x) override;

 private:
  py::object project_;
  Index size_;
};

}  // namespace gramian::python
