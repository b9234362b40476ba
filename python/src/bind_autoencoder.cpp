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

autoencoder::Fit train(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                       const autoencoder::Options& options, const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto C = matrix_argument<double>(targets, "targets");
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  autoencoder::Fit fit;
  observer.call([&] { fit = autoencoder::fit(input, C, layers, options, start, observer.if_wanted()); });
  return fit;
}

autoencoder::GeneralizationTerms terms_of(const autoencoder::Fit& fit, const py::object& targets) {
  const auto C = matrix_argument<double>(targets, "targets");
  autoencoder::GeneralizationTerms terms;
  call([&] { terms = autoencoder::generalization_terms(fit, C); });
  return terms;
}

void bind_autoencoder_options(py::module_& module) {
  py::native_enum<autoencoder::Start>(module, "LayerStart", "enum.Enum", "The first start.")
      .value("principal", autoencoder::Start::principal)
      .value("random", autoencoder::Start::random)
      .finalize();
  bind_options<autoencoder::AlternatingOptions>(module, "AlternatingOptions", "solver 'alternating'");
  bind_options<autoencoder::EliminatedTraining>(module, "EliminatedTraining", "a training with a last layer in closed form");
  bind_options<autoencoder::JointTraining>(module, "JointTraining", "a training of all layers");
  bind_options<autoencoder::ConstrainedTraining>(module, "ConstrainedTraining", "a training of layers in balls");
  bind_options<autoencoder::Options>(module, "Options", "an autoencoder");
  bind_options<autoencoder::LayerDefaults>(module, "LayerDefaults", "the layers");
  module.def(
      "code_kernel", [](Index codes) { return autoencoder::code_kernel(codes).parameters(); }, "codes"_a,
      "Parameters of the kernel, a Gaussian and the inner product, of layers whose inputs are codes.");
  module.def("limits", [] { return autoencoder_limits; }, "When training ends by default.");
}

void bind_generalization(py::module_& module) {
  py::class_<autoencoder::GeneralizationTerms>(module, "GeneralizationTerms", "What [KAE] Thm. 5 bounds the excess risk with.")
      .def_readonly("s", &autoencoder::GeneralizationTerms::s)
      .def_readonly("t", &autoencoder::GeneralizationTerms::t)
      .def_readonly("K", &autoencoder::GeneralizationTerms::K)
      .def_readonly("L_squared", &autoencoder::GeneralizationTerms::L_squared)
      .def_readonly("M", &autoencoder::GeneralizationTerms::M)
      .def_readonly("p", &autoencoder::GeneralizationTerms::p);
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
