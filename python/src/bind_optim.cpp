// SPDX-License-Identifier: BSD-3-Clause
// Optimisers, on functions that are written in Python.
#include <pybind11/pybind11.h>

#include "call.hpp"
#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"
#include "optim_options.hpp"
#include "python_objective.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

/// solve() without the GIL; start is read by it alone.
template <class Solve>
py::tuple solved(Solve solve) {
  OptimResult result;
  call([&] { result = solve(); });
  return tuple_of(result);
}

py::tuple minimize(const std::string& solver, const py::object& fun, const py::array_t<double>& x0, const py::dict& options,
                   const py::object& sample, const py::object& project, const py::object& callback) {
  if (x0.ndim() != 1) throw py::type_error("x0 must have 1 dimension");
  const std::vector<double> start(x0.data(), x0.data() + x0.size());
  PythonObjective objective(fun, sample, x0.size());
  PythonObserver observer(callback, x0.size());
  PythonProjection set(project, x0.size());
  Observer* watch = callback.is_none() ? nullptr : &observer;
  if (solver == "lbfgs") {
    const auto chosen = lbfgs_argument(options);
    return solved([&] { return lbfgs(objective, start.data(), chosen, watch); });
  }
  if (solver == "bfgs") {
    const auto chosen = bfgs_argument(options);
    return solved([&] { return bfgs(objective, start.data(), chosen, watch); });
  }
  if (solver == "gd") {
    const auto chosen = gradient_descent_argument(options);
    if (project.is_none()) return solved([&] { return gradient_descent(objective, start.data(), chosen, watch); });
    return solved([&] { return projected_gradient(objective, set, start.data(), chosen, watch); });
  }
  if (solver == "sgd") {
    const auto chosen = sgd_argument(options);
    return solved([&] { return sgd(objective, start.data(), chosen, watch); });
  }
  if (solver != "adam") throw py::value_error("solver must be 'lbfgs', 'bfgs', 'gd', 'adam' or 'sgd', got '" + solver + "'");
  const auto chosen = adam_argument(options, !sample.is_none());
  if (sample.is_none()) return solved([&] { return adam(objective, start.data(), chosen, watch); });
  return solved([&] { return stochastic_adam(objective, start.data(), chosen, watch); });
}

}  // namespace

void bind_optim(py::module_& module) {
  module.def("minimize", &minimize, "solver"_a, "fun"_a, py::arg("x0").noconvert(), "options"_a, "sample"_a, "project"_a,
             "callback"_a, "The point, its value and gradient norm, why it stopped, iterations, evaluations, and the history.");
}

}  // namespace gramian::python
