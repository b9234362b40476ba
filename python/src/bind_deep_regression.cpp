// SPDX-License-Identifier: BSD-3-Clause
// Concatenated kernel regression: training, and the choice of its penalties.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "deep_regression_spec.hpp"
#include "layer_spec.hpp"
#include "loss_argument.hpp"
#include "observer.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

py::list names_of(const std::vector<StopReason>& reasons) {
  py::list names;
  for (const StopReason reason : reasons) names.append(name_of(reason));
  return names;
}

Facts facts_of(DeepRegressionFit&& fit) {
  return Facts("kernel_parameters"_a = kernel_parameters(fit.model.layers),
               "coefficients"_a = arrays_of(std::move(fit.model.coefficients)),
               "supports"_a = arrays_of(std::move(fit.model.supports)), "support_rows"_a = std::move(fit.model.landmarks),
               "history"_a = columns_of(fit.result.history), "stop_reason"_a = name_of(fit.result.stop_reason),
               "iterations"_a = fit.result.iterations, "restart_values"_a = fit.restart_values,
               "restart_reasons"_a = names_of(fit.restart_reasons), "objective"_a = fit.objective, "loss"_a = fit.loss,
               "squared_norms"_a = fit.squared_norms, "penalties"_a = fit.penalties, "stationarity"_a = fit.stationarity,
               "joint"_a = fit.joint, "features"_a = fit.parameters == InnerParameters::features, "inner_rank"_a = fit.inner_rank,
               "jitter"_a = fit.jitter, "merged"_a = fit.merged);
}

/// What is minimised. The caller holds the Python objects.
struct Problem {
  Problem(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
          const py::object& loss, const py::list& images)
      : points(X, py::none()),
        input(input_argument(points)),
        Y(matrix_argument<double>(targets, "targets")),
        layers(deep_layers_argument(layer_specs)),
        loss_function(loss.is_none() ? nullptr : loss_argument(loss)),
        image_losses(images),
        options(deep_options_argument(settings)) {
    options.loss = loss_function.get();
    options.image_losses = image_losses.losses();
  }

  PointsArgument points;
  PointSource input;
  MatrixView<const double> Y;
  std::vector<DeepRegressionLayer> layers;
  std::unique_ptr<Loss> loss_function;
  ImageLossesArgument image_losses;
  DeepRegressionOptions options;
};

Facts train(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
            const py::object& loss, const py::list& images, const py::object& callback) {
  const Problem problem(X, targets, layer_specs, settings, loss, images);
  CallbackObserver observer(callback);
  DeepRegressionFit fit;
  observer.call([&] {
    fit = fit_deep_regression(problem.input, problem.Y, problem.layers, problem.options, nullptr, observer.if_wanted());
  });
  return facts_of(std::move(fit));
}

void check(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
           const py::object& loss, const py::list& images) {
  const Problem problem(X, targets, layer_specs, settings, loss, images);
  call([&] { check_deep_regression(problem.input, problem.Y, problem.layers, problem.options); });
}

Facts validate(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
               const py::object& loss, const py::list& images, std::vector<double> last_penalties,
               std::vector<double> inner_penalties, std::vector<std::vector<Index>> test_rows) {
  const Problem problem(X, targets, layer_specs, settings, loss, images);
  DeepRegressionGrid grid;
  grid.last_penalties = std::move(last_penalties);
  grid.inner_penalties = std::move(inner_penalties);
  grid.test_rows = std::move(test_rows);
  DeepRegressionValidation found;
  call([&] { found = validate_deep_regression(problem.input, problem.Y, problem.layers, problem.options, grid); });
  return Facts("errors"_a = array_of(std::move(found.errors)), "last_penalty"_a = found.last_penalty,
               "inner_penalty"_a = found.inner_penalty);
}

class BoundDeepObjective {
 public:
  BoundDeepObjective(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
                     const py::object& loss, const py::list& images)
      : held_(py::make_tuple(X, targets, loss, py::tuple(images))), problem_(X, targets, layer_specs, settings, loss, images) {
    call([&] { engine_ = deep_regression_objective(problem_.input, problem_.Y, problem_.layers, problem_.options); });
  }

  Index size() const { return engine_->size(); }

  py::tuple evaluate(const py::array_t<double, py::array::c_style>& x) {
    if (x.size() != size()) throw py::value_error("x has another size than there are variables");
    py::array_t<double> gradient(size());
    double value = 0.0;
    call(mutex_, [&, at = x.data(), out = gradient.mutable_data()] { value = engine_->evaluate(at, out); });
    return py::make_tuple(value, gradient);
  }

 private:
  py::tuple held_;
  Problem problem_;
  std::unique_ptr<Objective> engine_;
  std::mutex mutex_;
};

}  // namespace

void bind_deep_regression(py::module_& module) {
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "loss"_a, "image_losses"_a, "callback"_a,
             "All that training gives, by name. A layer is (terms, outputs, penalty, theta); no terms: a Gaussian by the median "
             "rule. An image loss is (layer, loss, targets, weight).");
  module.def("check", &check, "X"_a, "targets"_a, "layers"_a, "options"_a, "loss"_a, "image_losses"_a,
             "Raises what a fit would for its arguments and its memory.");
  module.def("validate", &validate, "X"_a, "targets"_a, "layers"_a, "options"_a, "loss"_a, "image_losses"_a, "last_penalties"_a,
             "inner_penalties"_a, "test_rows"_a, "Mean losses of rows that were left out, by penalties, and the best pair.");
  py::class_<BoundDeepObjective>(module, "Objective", "What fit_deep_regression() minimises.")
      .def(py::init<const py::object&, const py::object&, const py::list&, const py::dict&, const py::object&, const py::list&>(),
           "X"_a, "targets"_a, "layers"_a, "options"_a, "loss"_a, "image_losses"_a)
      .def("size", &BoundDeepObjective::size, "The number of variables.")
      .def("evaluate", &BoundDeepObjective::evaluate, py::arg("x").noconvert(), "The value and the gradient in the variables.");
}

}  // namespace gramian::python
