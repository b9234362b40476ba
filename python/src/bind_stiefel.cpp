// SPDX-License-Identifier: BSD-3-Clause
// Optimisers on products of Stiefel manifolds, on functions that are written in Python.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/riemannian.hpp"
#include "python_objective.hpp"
#include "settings.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

StiefelDescentOptions descent_options(const py::dict& dict) {
  Settings settings(dict);
  StiefelDescentOptions options;
  settings.read("max_iterations", options.max_iterations);
  settings.read("step", options.step);
  settings.read("gradient_tolerance", options.tolerance);
  settings.read("value_tolerance", options.value_tolerance);
  settings.finish();
  return options;
}

RiemannianAdamOptions adam_options(const py::dict& dict) {
  Settings settings(dict);
  RiemannianAdamOptions options;
  settings.read("max_iterations", options.max_iterations);
  settings.read("step", options.step);
  settings.read("beta1", options.beta1);
  settings.read("beta2", options.beta2);
  settings.read("epsilon", options.epsilon);
  settings.read("anneal", options.anneal);
  settings.read("retraction", options.retraction, {{"polar", StiefelRetraction::polar}, {"qr", StiefelRetraction::qr}});
  settings.read("gradient_tolerance", options.gradient_tolerance);
  settings.read("value_tolerance", options.value_tolerance);
  settings.finish();
  return options;
}

RiemannianLbfgsOptions lbfgs_options(const py::dict& dict) {
  Settings settings(dict);
  RiemannianLbfgsOptions options;
  settings.read("max_iterations", options.max_iterations);
  settings.read("memory", options.memory);
  settings.read("gradient_tolerance", options.gradient_tolerance);
  settings.read("value_tolerance", options.value_tolerance);
  settings.read("sufficient_decrease", options.sufficient_decrease);
  settings.finish();
  return options;
}

/// The point, its value and gradient norm, why it stopped, iterations, evaluations, history.
py::tuple minimise(const std::string& solver, const py::object& fun, const py::array_t<double>& x0,
                   const std::vector<std::pair<Index, Index>>& shapes, const py::dict& options, const py::object& callback) {
  std::vector<StiefelShape> blocks;
  Index used = 0;
  for (const auto& [rows, cols] : shapes) {
    blocks.push_back({rows, cols});
    used += rows * cols;
  }
  require(used <= x0.size(), "x0 is shorter than its blocks");
  StiefelProduct manifold(std::move(blocks), x0.size() - used);
  PythonObjective objective(fun, py::none(), x0.size());
  PythonObserver observer(callback, x0.size());
  Observer* watch = callback.is_none() ? nullptr : &observer;
  const std::vector<double> start(x0.data(), x0.data() + x0.size());
  OptimResult result;
  const auto run = [&](auto method, const auto& chosen) {
    call([&] { result = method(objective, manifold, start.data(), chosen, watch); });
  };
  if (solver == "lbfgs") {
    run(riemannian_lbfgs, lbfgs_options(options));
  } else if (solver == "adam") {
    run(riemannian_adam, adam_options(options));
  } else {
    require(solver == "gd", "solver must be 'lbfgs', 'adam' or 'gd', got '" + solver + "'");
    run(stiefel_projected_gradient, descent_options(options));
  }
  py::list history;
  for (const Iteration& iteration : result.history) history.append(tuple_of(iteration));
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(result.x.size()), result.x.data()), result.value,
                        result.gradient_norm, name_of(result.stop_reason), result.iterations, result.evaluations, history);
}

}  // namespace

void bind_stiefel(py::module_& module) {
  module.def("minimize_stiefel", &minimise, "solver"_a, "fun"_a, py::arg("x0").noconvert(), "shapes"_a, "options"_a, "callback"_a,
             "The point, its value and gradient norm, why it stopped, iterations, evaluations, and the history.");
}

}  // namespace gramian::python
