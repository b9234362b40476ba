// SPDX-License-Identifier: BSD-3-Clause
// Fitted models of structured outputs.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/dependency/predictor.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "operator_argument.hpp"
#include "points.hpp"
#include "predictor.hpp"
#include "results.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Model = dependency::Predictor;
using Ridge = dependency::OperatorPredictor;
using Numbers = py::array_t<double>;

/// Points, or (values, squares).
dependency::Outputs outputs_argument(const py::object& object, const char* name) {
  dependency::Outputs outputs;
  if (object.is_none()) return outputs;
  if (py::isinstance<py::tuple>(object) && py::len(object) == 2) {
    const auto pair = py::reinterpret_borrow<py::tuple>(object);
    outputs.values = shared_matrix(pair[0], name);
    outputs.squares = shared_matrix(pair[1], name);
  } else {
    outputs.points = shared_samples(object, name);
  }
  return outputs;
}

std::shared_ptr<Ridge> ridge(const Operator& kernel, const py::object& inputs, const py::object& coefficients) {
  dependency::OperatorParts parts{kernel.kernel, shared_samples(inputs, "inputs"), shared_matrix(coefficients, "coefficients")};
  std::shared_ptr<Ridge> made;
  call([&] { made = std::make_shared<Ridge>(std::move(parts)); });
  return made;
}

std::shared_ptr<Model> predictor(const py::object& kernel, const py::object& inputs, const std::vector<Index>& input_supports,
                                 const Ridge* vectors, const py::object& coefficients, const py::object& input_factor,
                                 const py::object& output_factor, const py::object& components,
                                 const std::optional<std::vector<double>>& mean, const py::object& output_kernel,
                                 const py::object& outputs, const std::vector<Index>& output_supports,
                                 dependency::Preimage preimage, const py::object& candidates, const py::sequence& symbols) {
  dependency::Parts parts;
  if (!kernel.is_none()) parts.kernel = kernel_argument(kernel);
  parts.inputs = shared_samples(inputs, "inputs");
  parts.input_supports = input_supports;
  if (vectors != nullptr) parts.vectors = *vectors;
  parts.coefficients = shared_matrix_or_none(coefficients, "coefficients");
  parts.input_factor = shared_matrix_or_none(input_factor, "input_factor");
  parts.output_factor = shared_matrix_or_none(output_factor, "output_factor");
  parts.components = shared_matrix_or_none(components, "components");
  parts.centred = mean.has_value();
  if (mean) parts.mean = *mean;
  if (!output_kernel.is_none()) parts.output_kernel = kernel_argument(output_kernel);
  parts.outputs = outputs_argument(outputs, "outputs");
  parts.output_supports = output_supports;
  parts.preimage = preimage;
  parts.candidates = outputs_argument(candidates, "candidates");
  parts.symbols = labels_of(symbols);
  std::shared_ptr<Model> made;
  call([&] { made = std::make_shared<Model>(std::move(parts)); });
  return made;
}

Numbers weights_of(const Model& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  auto weights = new_matrix<double>(points.rows(), model.supports(), "the weights", fewer_samples);
  call([&, out = writable_view(weights)] { model.weights(points.X(), out); });
  return weights;
}

Numbers scores_of(const Model& model, const py::object& X, const py::object& candidates) {
  const PointsArgument points(X, py::none());
  const dependency::Outputs others = outputs_argument(candidates, "candidates");
  const Index count = candidates.is_none() ? model.outputs(Verb::scores) : others.size();
  auto scores = new_matrix<double>(points.rows(), count, "the scores", "use predict or nearest, which don't hold all of them");
  const dependency::Outputs* given = candidates.is_none() ? nullptr : &others;
  call([&, out = writable_view(scores)] { model.scores(points.X(), given, out); });
  return scores;
}

py::array_t<Index> nearest(const Model& model, const py::object& X, const py::object& candidates, Index count) {
  const PointsArgument points(X, py::none());
  const dependency::Outputs others = outputs_argument(candidates, "candidates");
  std::vector<Index> rows;
  const dependency::Outputs* given = candidates.is_none() ? nullptr : &others;
  call([&] { rows = model.nearest(points.X(), given, count); });
  return array_of(rows).reshape({points.rows(), count});
}

Preimages fixed_points(const Model& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  Preimages found;
  call([&] { found = model.fixed_points(points.X()); });
  return found;
}

py::array_t<Index> sequences(const Model& model, const py::object& X, const std::vector<Index>& lengths) {
  const PointsArgument points(X, py::none());
  std::vector<Index> symbols;
  call([&] { symbols = model.sequences(points.X(), lengths); });
  return array_of(symbols).reshape({points.rows(), model.positions()});
}

}  // namespace

void bind_dependency_use(py::module_& module) {
  py::native_enum<dependency::Preimage>(module, "Preimage", "enum.Enum")
      .value("none", dependency::Preimage::none)
      .value("nearest", dependency::Preimage::nearest)
      .value("candidates", dependency::Preimage::candidates)
      .value("linear", dependency::Preimage::linear)
      .value("gaussian", dependency::Preimage::gaussian)
      .value("sequence", dependency::Preimage::sequence)
      .finalize();
  PredictorClass<Ridge>(module, "OperatorPredictor", "g(x) of an operator-valued kernel, [KDE] (2).")
      .def(py::init(&ridge), "kernel"_a, "inputs"_a, "coefficients"_a);
  PredictorClass<Model>(module, "Predictor", "Structured outputs, [KDE].")
      .def(py::init(&predictor), "kernel"_a, "inputs"_a, "input_supports"_a, "vectors"_a, "coefficients"_a, "input_factor"_a,
           "output_factor"_a, "components"_a, "mean"_a, "output_kernel"_a, "outputs"_a, "output_supports"_a, "preimage"_a,
           "candidates"_a, "symbols"_a)
      .def("weights", &weights_of, "X"_a, "Weights of the output supports in predictions, q x s.")
      .def("scores", &scores_of, "X"_a, "candidates"_a, "Scores of all candidates, q x c.")
      .def("nearest", &nearest, "X"_a, "candidates"_a, "count"_a, "Rows of the best candidates, the best first: q x count.")
      .def("fixed_points", &fixed_points, "X"_a, "Preimages for a Gaussian output kernel.")
      .def("sequences", &sequences, "X"_a, "lengths"_a, "Symbols by position, -1 beyond the end; without lengths of any length.");
}

}  // namespace gramian::python
