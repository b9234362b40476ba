// SPDX-License-Identifier: BSD-3-Clause
// Concatenated kernel regression: training, and the choice of its penalties.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "call.hpp"
#include "deep_regression_problem.hpp"
#include "layered_fit.hpp"
#include "observer.hpp"
#include "results.hpp"
#include "warm_start_argument.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

deep_regression::Fit train(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                           const deep_regression::Options& options, const std::vector<deep_regression::ImageLoss>& images,
                           const py::object& warm_start, const py::object& callback) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  deep_regression::Fit fit;
  observer.call([&] {
    fit = deep_regression::fit(problem.input, problem.Y, problem.layers, problem.options, start, observer.if_wanted());
  });
  return fit;
}

void check(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
           const deep_regression::Options& options, const std::vector<deep_regression::ImageLoss>& images) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  call([&] { deep_regression::check(problem.input, problem.Y, problem.layers, problem.options); });
}

deep_regression::Validation validate(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                                     const deep_regression::Options& options,
                                     const std::vector<deep_regression::ImageLoss>& images, const deep_regression::Grid& grid,
                                     const py::object& clock) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  deep_regression::Validation found;
  CallbackObserver limit(clock);
  limit.call([&] {
    found = deep_regression::validate(problem.input, problem.Y, problem.layers, problem.options, grid, limit.if_wanted());
  });
  return found;
}

void bind_results(py::module_& module) {
  using Fit = deep_regression::Fit;
  py::class_<Fit, LayeredFit>(module, "Fit", "A trained concatenated regression.")
      .def_property_readonly("support_rows", [](const Fit& fit) { return fit.model.landmarks; })
      .def_readonly("merged", &Fit::merged)
      .def_readonly("penalties", &Fit::penalties)
      .def_readonly("parameters", &Fit::parameters)
      .def_readonly("inner_rank", &Fit::inner_rank);
  using Validation = deep_regression::Validation;
  py::class_<Validation> found(module, "Validation", "Mean losses of rows that each fold left out, by penalties.");
  add_array(found, "fold_errors", [](const Validation& all) -> const auto& { return all.fold_errors; });
}

}  // namespace

void bind_deep_regression(py::module_& module) {
  bind_results(module);
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a, "warm_start"_a, "callback"_a,
             "Trains a concatenated regression. warm_start: variables of an earlier fit.");
  module.def("check", &check, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a,
             "Raises what a fit would for its arguments and its memory.");
  module.def("validate", &validate, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a, "grid"_a, "clock"_a,
             "Compares penalties on rows that are left out.");
}

}  // namespace gramian::python
