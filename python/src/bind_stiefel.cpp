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
#include "optim_options.hpp"
#include "python_objective.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

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
    run(riemannian_lbfgs, riemannian_lbfgs_argument(options));
  } else if (solver == "adam") {
    run(riemannian_adam, riemannian_adam_argument(options));
  } else {
    require(solver == "gd", "solver must be 'lbfgs', 'adam' or 'gd', got '" + solver + "'");
    run(stiefel_projected_gradient, stiefel_descent_argument(options));
  }
  return tuple_of(result);
}

}  // namespace

void bind_stiefel(py::module_& module) {
  module.def("minimize_stiefel", &minimise, "solver"_a, "fun"_a, py::arg("x0").noconvert(), "shapes"_a, "options"_a, "callback"_a,
             "The point, its value and gradient norm, why it stopped, iterations, evaluations, and the history.");
}

}  // namespace gramian::python
