// SPDX-License-Identifier: BSD-3-Clause
// Training of kernel autoencoders.
#include <pybind11/numpy.h>
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/autoencoder.hpp"
#include "layer_spec.hpp"
#include "loss_argument.hpp"
#include "observer.hpp"
#include "trained_result.hpp"
#include "warm_start_argument.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

struct AutoencoderResult : TrainedResult {
  std::optional<GeneralizationTerms> generalization_terms;
};

AutoencoderResult result_of(AutoencoderFit&& fit, MatrixView<const double> targets) {
  AutoencoderResult out;
  if (fit.model.layers.size() == 2) out.generalization_terms = generalization_terms(fit, targets);
  take_result(std::move(fit), out);
  return out;
}

AutoencoderResult train(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                        const AutoencoderOptions& options, const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto C = matrix_argument<double>(targets, "targets");
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  AutoencoderFit fit;
  observer.call([&] { fit = fit_autoencoder(input, C, layers, options, start, observer.if_wanted()); });
  return result_of(std::move(fit), C);
}

AlternatingOptions alternating(const TrainingLimits& limits, Index inner_steps) {
  auto options = limits.solver<AlternatingOptions>();
  options.inner_steps = inner_steps;
  return options;
}

void bind_trainings(py::module_& module) {
  using Joint = JointTraining;
  using Constrained = ConstrainedTraining;
  py::class_<AlternatingOptions>(module, "AlternatingOptions", "Steps of the inner layers and solves for the last one, in turns.")
      .def(py::init<>())
      .def(py::init(&alternating), "limits"_a, "inner_steps"_a)
      .def_readonly("inner_steps", &AlternatingOptions::inner_steps);
  py::class_<EliminatedTraining>(module, "EliminatedTraining", "The last layer is solved for.")
      .def(py::init([](const decltype(EliminatedTraining::solver)& solver) { return EliminatedTraining{solver}; }), "solver"_a);
  py::class_<Joint>(module, "JointTraining", "All layers' coefficients are variables.")
      .def(py::init([](const decltype(Joint::solver)& solver, const py::object& loss, Index batch_size) {
             return Joint{solver, loss_argument(loss), batch_size};
           }),
           "solver"_a, "loss"_a, "batch_size"_a);
  py::class_<Constrained>(module, "ConstrainedTraining", "Layers in balls of their spaces.")
      .def(py::init([](std::vector<double> max_norm, const GradientDescentOptions& solver, const py::object& loss) {
             return Constrained{std::move(max_norm), solver, loss_argument(loss)};
           }),
           "max_norm"_a, "solver"_a, "loss"_a);
}

void bind_autoencoder_options(py::module_& module) {
  py::native_enum<LayerStart>(module, "LayerStart", "enum.Enum", "The first start.")
      .value("principal", LayerStart::principal)
      .value("random", LayerStart::random)
      .finalize();
  py::class_<AutoencoderOptions>(module, "Options", "How an autoencoder is trained.")
      .def(py::init<>())
      .def_readwrite("training", &AutoencoderOptions::training)
      .def_readwrite("landmarks", &AutoencoderOptions::landmarks)
      .def_readwrite("weights", &AutoencoderOptions::weights)
      .def_readwrite("start", &AutoencoderOptions::start)
      .def_readwrite("restarts", &AutoencoderOptions::restarts)
      .def_readwrite("seed", &AutoencoderOptions::seed)
      .def_readwrite("memory_budget", &AutoencoderOptions::memory_budget);
  module.def("limits", [] { return autoencoder_limits; }, "When training ends by default.");
}

void bind_autoencoder_result(py::module_& module) {
  py::class_<GeneralizationTerms>(module, "GeneralizationTerms", "What [KAE] Thm. 5 bounds the excess risk with.")
      .def_readonly("s", &GeneralizationTerms::s)
      .def_readonly("t", &GeneralizationTerms::t)
      .def_readonly("K", &GeneralizationTerms::K)
      .def_readonly("L_squared", &GeneralizationTerms::L_squared)
      .def_readonly("M", &GeneralizationTerms::M)
      .def_readonly("p", &GeneralizationTerms::p);
  py::class_<AutoencoderResult, TrainedResult>(module, "Fit", "A trained autoencoder.")
      .def_readonly("generalization_terms", &AutoencoderResult::generalization_terms);
}

}  // namespace

void bind_autoencoder(py::module_& module) {
  bind_trainings(module);
  bind_autoencoder_options(module);
  bind_autoencoder_result(module);
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "warm_start"_a, "callback"_a,
             "Trains an autoencoder. warm_start: coefficients, one layer after the other.");
}

}  // namespace gramian::python
