// SPDX-License-Identifier: BSD-3-Clause
#include "python_objective.hpp"

#include <algorithm>

#include "value_and_gradient.hpp"

namespace gramian::python {

namespace {

/// A copy: Python may keep it.
py::array_t<double> vector_from(const double* x, Index size) { return py::array_t<double>(size, x); }

double copy_out(const py::object& result, const char* who, Index size, double* gradient) {
  const ValueAndGradient found = value_and_gradient(result, who, {size});
  if (gradient != nullptr) std::copy_n(found.gradient.data(), size, gradient);
  return found.value;
}

}  // namespace

double PythonObjective::evaluate(const double* x, double* gradient) {
  const py::gil_scoped_acquire gil;
  return copy_out(fun_(vector_from(x, size_)), "fun", size_, gradient);
}

double PythonObjective::sample(const double* x, std::uint64_t, std::uint64_t step, double* gradient) {
  const py::gil_scoped_acquire gil;
  return copy_out(sample_(vector_from(x, size_), step), "sample", size_, gradient);
}

bool PythonObserver::observe(const Iteration& iteration, const double* x) {
  const py::gil_scoped_acquire gil;
  return !callback_(iteration, vector_from(x, size_)).is(py::bool_(false));
}

void PythonProjection::project(double* x) {
  const py::gil_scoped_acquire gil;
  const auto projected = array_of(project_(vector_from(x, size_)), "what project returns", {size_});
  std::copy_n(projected.data(), size_, x);
}

}  // namespace gramian::python
