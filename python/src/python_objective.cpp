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

py::tuple tuple_of(const Iteration& iteration) {
  return py::make_tuple(iteration.number, iteration.value, iteration.gradient_norm, iteration.step, iteration.evaluations);
}

py::tuple tuple_of(const OptimResult& result) {
  py::list history;
  for (const Iteration& iteration : result.history) history.append(tuple_of(iteration));
  return py::make_tuple(vector_from(result.x.data(), static_cast<Index>(result.x.size())), result.value, result.gradient_norm,
                        name_of(result.stop_reason), result.iterations, result.evaluations, history);
}

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
  return !callback_(tuple_of(iteration), vector_from(x, size_)).is(py::bool_(false));
}

void PythonProjection::project(double* x) {
  const py::gil_scoped_acquire gil;
  const auto projected = array_of(project_(vector_from(x, size_)), "what project returns", {size_});
  std::copy_n(projected.data(), size_, x);
}

}  // namespace gramian::python
