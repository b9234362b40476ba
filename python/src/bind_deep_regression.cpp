// SPDX-License-Identifier: BSD-3-Clause
// Concatenated kernel regression: training, and the choice of its penalties.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "call.hpp"
#include "deep_regression_problem.hpp"
#include "observer.hpp"
#include "trained_result.hpp"
#include "warm_start_argument.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

struct DeepRegressionResult : TrainedResult {
  std::vector<Index> support_rows, merged;
  std::vector<double> penalties;
  bool features = false;
  Index inner_rank = 0;
};

DeepRegressionResult result_of(DeepRegressionFit&& fit) {
  DeepRegressionResult out;
  out.support_rows = std::move(fit.model.landmarks);
  out.merged = std::move(fit.merged);
  out.penalties = std::move(fit.penalties);
  out.features = fit.parameters == InnerParameters::features;
  out.inner_rank = fit.inner_rank;
  take_result(std::move(fit), out);
  return out;
}

struct ValidationResult {
  py::array_t<double> fold_errors;
};

DeepRegressionResult train(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                           const DeepRegressionOptions& options, const std::vector<ImageLoss>& images,
                           const py::object& warm_start, const py::object& callback) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  DeepRegressionFit fit;
  observer.call(
      [&] { fit = fit_deep_regression(problem.input, problem.Y, problem.layers, problem.options, start, observer.if_wanted()); });
  return result_of(std::move(fit));
}

void check(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
           const DeepRegressionOptions& options, const std::vector<ImageLoss>& images) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  call([&] { check_deep_regression(problem.input, problem.Y, problem.layers, problem.options); });
}

ValidationResult validate(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                          const DeepRegressionOptions& options, const std::vector<ImageLoss>& images,
                          const DeepRegressionGrid& grid, double seconds) {
  const DeepRegressionProblem problem(X, targets, layers, options, images);
  DeepRegressionValidation found;
  TimeLimit limit(seconds);
  call([&] { found = validate_deep_regression(problem.input, problem.Y, problem.layers, problem.options, grid, &limit); });
  return {array_of(std::move(found.fold_errors))};
}

void bind_results(py::module_& module) {
  using Result = DeepRegressionResult;
  py::class_<Result, TrainedResult>(module, "Fit", "A trained concatenated regression.")
      .def_readonly("support_rows", &Result::support_rows)
      .def_readonly("merged", &Result::merged)
      .def_readonly("penalties", &Result::penalties)
      .def_readonly("features", &Result::features)
      .def_readonly("inner_rank", &Result::inner_rank);
  py::class_<ValidationResult>(module, "Validation", "Mean losses of rows that each fold left out, by penalties.")
      .def_readonly("fold_errors", &ValidationResult::fold_errors);
}

}  // namespace

void bind_deep_regression(py::module_& module) {
  bind_results(module);
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a, "warm_start"_a, "callback"_a,
             "Trains a concatenated regression. warm_start: variables of an earlier fit.");
  module.def("check", &check, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a,
             "Raises what a fit would for its arguments and its memory.");
  module.def("validate", &validate, "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a, "grid"_a, "seconds"_a,
             "Compares penalties on rows that are left out.");
}

}  // namespace gramian::python
