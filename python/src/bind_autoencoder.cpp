// SPDX-License-Identifier: BSD-3-Clause
// Training of kernel autoencoders.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "autoencoder_spec.hpp"
#include "call.hpp"
#include "layer_spec.hpp"
#include "loss_argument.hpp"
#include "observer.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

Facts facts_of(AutoencoderFit&& fit) {
  return Facts("kernel_parameters"_a = kernel_parameters(fit.model.layers),
               "coefficients"_a = arrays_of(std::move(fit.model.coefficients)),
               "supports"_a = arrays_of(std::move(fit.model.supports)), "outputs"_a = arrays_of(std::move(fit.outputs)),
               "history"_a = columns_of(fit.result.history), "stop_reason"_a = name_of(fit.result.stop_reason),
               "converged"_a = converged(fit.result.stop_reason), "iterations"_a = fit.result.iterations,
               "restart_values"_a = fit.restart_values, "objective"_a = fit.objective, "distortion"_a = fit.distortion,
               "squared_norms"_a = fit.squared_norms, "stationarity"_a = fit.stationarity, "multipliers"_a = fit.multipliers,
               "joint"_a = fit.last_layer == LastLayer::joint, "jitter"_a = fit.jitter);
}

py::object terms_of(const AutoencoderFit& fit, MatrixView<const double> targets) {
  if (fit.model.layers.size() != 2) return py::none();
  const GeneralizationTerms terms = generalization_terms(fit, targets);
  return Facts("s"_a = terms.s, "t"_a = terms.t, "K"_a = terms.K, "L_squared"_a = terms.L_squared, "M"_a = terms.M,
               "p"_a = terms.p);
}

Facts train(const py::object& X, const py::object& targets, const py::list& layer_specs, const py::dict& settings,
            const py::object& loss, const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto C = matrix_argument<double>(targets, "targets");
  const auto layers = autoencoder_layers_argument(layer_specs);
  const auto loss_function = loss_argument(loss);
  AutoencoderOptions options = autoencoder_options_argument(settings);
  options.loss = loss_function.get();
  const double* start = warm_start_argument(warm_start, input, layers, options);
  CallbackObserver observer(callback);
  AutoencoderFit fit;
  observer.call([&] { fit = fit_autoencoder(input, C, layers, options, start, observer.if_wanted()); });
  const py::object terms = terms_of(fit, C);
  Facts facts = facts_of(std::move(fit));
  facts["generalization_terms"] = terms;
  return facts;
}

}  // namespace

void bind_autoencoder(py::module_& module) {
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "loss"_a, "warm_start"_a, "callback"_a,
             "All that training gives, by name. A layer is (terms, outputs, penalty, A); no terms: a Gaussian by the median rule "
             "times A.");
}

}  // namespace gramian::python
