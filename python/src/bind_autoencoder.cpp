// SPDX-License-Identifier: BSD-3-Clause
// Training of kernel autoencoders.
#include <pybind11/numpy.h>
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/autoencoder.hpp"
#include "layer_spec.hpp"
#include "layered_fit.hpp"
#include "loss_argument.hpp"
#include "observer.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "warm_start_argument.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

AutoencoderFit train(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                     const AutoencoderOptions& options, const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto C = matrix_argument<double>(targets, "targets");
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  AutoencoderFit fit;
  observer.call([&] { fit = fit_autoencoder(input, C, layers, options, start, observer.if_wanted()); });
  return fit;
}

GeneralizationTerms terms_of(const AutoencoderFit& fit, const py::object& targets) {
  const auto C = matrix_argument<double>(targets, "targets");
  GeneralizationTerms terms;
  call([&] { terms = generalization_terms(fit, C); });
  return terms;
}

void bind_autoencoder_options(py::module_& module) {
  py::native_enum<LayerStart>(module, "LayerStart", "enum.Enum", "The first start.")
      .value("principal", LayerStart::principal)
      .value("random", LayerStart::random)
      .finalize();
  bind_options<AlternatingOptions>(module, "AlternatingOptions", "solver 'alternating'");
  bind_options<EliminatedTraining>(module, "EliminatedTraining", "a training with a last layer in closed form");
  bind_options<JointTraining>(module, "JointTraining", "a training of all layers");
  bind_options<ConstrainedTraining>(module, "ConstrainedTraining", "a training of layers in balls");
  bind_options<AutoencoderOptions>(module, "Options", "an autoencoder");
  module.def("limits", [] { return autoencoder_limits; }, "When training ends by default.");
}

void bind_generalization(py::module_& module) {
  py::class_<GeneralizationTerms>(module, "GeneralizationTerms", "What [KAE] Thm. 5 bounds the excess risk with.")
      .def_readonly("s", &GeneralizationTerms::s)
      .def_readonly("t", &GeneralizationTerms::t)
      .def_readonly("K", &GeneralizationTerms::K)
      .def_readonly("L_squared", &GeneralizationTerms::L_squared)
      .def_readonly("M", &GeneralizationTerms::M)
      .def_readonly("p", &GeneralizationTerms::p);
  module.def("generalization_terms", &terms_of, "fit"_a, "targets"_a, "For two layers.");
}

}  // namespace

void bind_autoencoder(py::module_& module) {
  bind_autoencoder_options(module);
  bind_generalization(module);
  module.def("fit", &train, "X"_a, "targets"_a, "layers"_a, "options"_a, "warm_start"_a, "callback"_a,
             "Trains an autoencoder. warm_start: coefficients, one layer after the other.");
}

}  // namespace gramian::python
