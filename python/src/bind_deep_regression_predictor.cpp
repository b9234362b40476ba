// SPDX-License-Identifier: BSD-3-Clause
// Concatenated functions that are trained.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/deep_regression/predictor.hpp"
#include "points.hpp"
#include "predictor.hpp"
#include "shared_arrays.hpp"
#include "supported_layers.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using deep_regression::Outputs;
using Model = deep_regression::Predictor;
using Numbers = std::vector<double>;

std::shared_ptr<Model> predictor(const py::sequence& layers, std::pair<Numbers, Numbers> inputs,
                                 std::pair<Numbers, Numbers> outputs, const py::sequence& labels, Outputs meaning) {
  deep_regression::Parts parts;
  parts.layers = supported_layers(layers);
  parts.inputs = {std::move(inputs.first), std::move(inputs.second)};
  parts.outputs = {std::move(outputs.first), std::move(outputs.second)};
  parts.classes = labels_of(labels);
  parts.meaning = meaning;
  std::shared_ptr<Model> made;
  call([&] { made = std::make_shared<Model>(std::move(parts)); });
  return made;
}

py::array_t<double> images(const Model& model, Index layer, const py::object& X) {
  const PointsArgument points(X, py::none());
  const auto& layers = model.parts().layers;
  const bool inner = layer > 0 && layer < static_cast<Index>(layers.size());
  const Index width = inner ? layers[static_cast<std::size_t>(layer - 1)].layer.outputs() : points.dimension();
  auto out = new_matrix<double>(points.rows(), width, "the images", fewer_samples);
  call([&, to = writable_view(out)] { model.images(layer, points.X(), to); });
  return out;
}

py::array_t<double> log_proba(const Model& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  auto out = new_matrix<double>(points.rows(), static_cast<Index>(model.classes().size()), "the logarithms", fewer_samples);
  call([&, to = writable_view(out)] { model.log_proba(points.X(), to); });
  return out;
}

}  // namespace

void bind_deep_regression_predictor(py::module_& module) {
  py::native_enum<Outputs>(module, "Outputs", "enum.Enum", "What the outputs of the last layer are.")
      .value("values", Outputs::values)
      .value("logits", Outputs::logits)
      .value("probabilities", Outputs::probabilities)
      .finalize();
  PredictorClass<Model>(module, "Predictor", "Functions of reproducing kernel Hilbert spaces, composed: [DKL] (7).")
      .def(py::init(&predictor), "layers"_a, "inputs"_a, "outputs"_a, "labels"_a, "meaning"_a,
           "layers: with coefficients and supports. inputs, outputs: shift and scale of their columns.")
      .def("images", &images, "layer"_a, "X"_a, "What layers 1 .. layer make of points; layer 0: what the first one sees.")
      .def("log_proba", &log_proba, "X"_a, "Logarithms of the probabilities of the classes.");
}

}  // namespace gramian::python
