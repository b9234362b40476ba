// SPDX-License-Identifier: BSD-3-Clause
// What autoencoders and deep regressions take and give alike.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "layered_fit.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

LayerPlan planned(const py::sequence& terms, Index outputs, double penalty, const py::object& A,
                  const std::optional<std::shared_ptr<Penalty>>& theta, const py::object& open) {
  LayerPlan plan{terms_argument(terms), outputs, penalty, theta.value_or(nullptr)};
  if (!A.is_none()) plan.A = operator_argument(A);
  if (!open.is_none()) plan.open = kernel_argument(open);
  return plan;
}

/// Those of estimates and of steps have a seed.
template <class Solver>
Solver seeded(const TrainingLimits& limits, std::uint64_t seed) {
  Solver options = limits.solver<Solver>();
  options.seed = seed;
  return options;
}

void bind_limits(py::module_& module) {
  bind_options<TrainingLimits>(module, "Limits", "a training")
      .def("lbfgs", &TrainingLimits::solver<LbfgsOptions>, "L-BFGS within these limits.")
      .def("bfgs", &TrainingLimits::solver<BfgsOptions>, "BFGS within these limits.")
      .def("gd", &TrainingLimits::solver<GradientDescentOptions>, "Gradient descent within these limits.")
      .def("adam", &seeded<AdamOptions>, "seed"_a, "Adam within these limits.")
      .def("sgd", &seeded<SgdOptions>, "seed"_a, "Stochastic gradient descent within these limits.");
}

/// Of the first kernel of each layer: the engine chose them where none was given.
std::vector<std::vector<double>> kernel_parameters_of(const LayeredFit& fit) {
  std::vector<std::vector<double>> parameters;
  for (const KernelLayer& layer : fit.model.layers) parameters.push_back(layer.terms.front().kernel.parameters());
  return parameters;
}

std::vector<std::string> restart_reasons_of(const LayeredFit& fit) {
  std::vector<std::string> reasons;
  for (const StopReason reason : fit.restart_reasons) reasons.emplace_back(name_of(reason));
  return reasons;
}

void bind_fit(py::module_& module) {
  py::class_<LayeredFit> fit(module, "Fit", "What training has made of the layers.");
  add_arrays(fit, "coefficients", [](const LayeredFit& found) -> const auto& { return found.model.coefficients; });
  add_arrays(fit, "supports", [](const LayeredFit& found) -> const auto& { return found.model.supports; });
  add_arrays(fit, "outputs", [](const LayeredFit& found) -> const auto& { return found.outputs; });
  add_array(fit, "variables", [](const LayeredFit& found) -> const auto& { return found.result.x; });
  add_search(fit, [](const LayeredFit& found) -> const OptimResult& { return found.result; });
  fit.def_property_readonly("kernel_parameters", &kernel_parameters_of)
      .def_property_readonly("restart_reasons", &restart_reasons_of)
      .def_readonly("restart_values", &LayeredFit::restart_values)
      .def_readonly("objective", &LayeredFit::objective)
      .def_readonly("loss", &LayeredFit::loss)
      .def_readonly("squared_norms", &LayeredFit::squared_norms)
      .def_readonly("multipliers", &LayeredFit::multipliers)
      .def_readonly("stationarity", &LayeredFit::stationarity)
      .def_readonly("joint", &LayeredFit::joint)
      .def_readonly("jitter", &LayeredFit::jitter);
}

}  // namespace

void bind_layered(py::module_& module) {
  py::class_<LayerPlan>(module, "LayerPlan",
                        "A layer before it is trained; no terms: the open kernel, with the width by the median rule, times A.")
      .def(py::init(&planned), "terms"_a, "outputs"_a, "penalty"_a, "A"_a, "theta"_a, "open"_a);
  bind_limits(module);
  bind_fit(module);
}

}  // namespace gramian::python
