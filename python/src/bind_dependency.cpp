// SPDX-License-Identifier: BSD-3-Clause
// Structured outputs: fitting, and what a fitted model gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;
using Facts = py::typing::Dict<py::str, py::object>;

constexpr const char* advice = "pass fewer samples at a time";

py::object array_or_none(Matrix&& matrix) { return matrix.empty() ? py::object(py::none()) : array_of(std::move(matrix)); }

Facts facts_of(DependencyFit&& fit) {
  DependencyModel& model = fit.model;
  return Facts(
      "input_supports"_a = array_of(model.input_supports), "output_supports"_a = array_of(model.output_supports),
      "coefficients"_a = array_of(std::move(model.coefficients)), "input_factor"_a = array_or_none(std::move(model.input_factor)),
      "output_factor"_a = array_or_none(std::move(model.output_factor)),
      "components"_a = array_or_none(std::move(model.components)),
      "mean"_a = model.centred ? py::object(array_of(model.mean)) : py::object(py::none()), "lambda"_a = fit.lambda,
      "criteria"_a = array_of(fit.criteria), "input_residual"_a = fit.input_residual, "output_residual"_a = fit.output_residual);
}

Facts fit(const py::object& inputs, const py::object& outputs, const py::dict& settings, const py::object& new_inputs,
          const py::object& new_outputs) {
  const GramSource X = gram_source_argument(inputs, "X"), Y = gram_source_argument(outputs, "Y");
  const DependencyOptions options = dependency_options_argument(settings);
  std::optional<DependencyValidation> validation;
  if (!new_inputs.is_none()) {
    validation.emplace(
        DependencyValidation{cross_source_argument(new_inputs, "inputs"), cross_source_argument(new_outputs, "outputs")});
  }
  DependencyFit result;
  call([&] { result = fit_dependency(X, Y, options, validation ? &*validation : nullptr); });
  return facts_of(std::move(result));
}

Numbers weights_of(const py::dict& parts, const py::object& inputs) {
  const DependencyModel model = dependency_model_argument(parts);
  const CrossSource X = cross_source_argument(inputs, "X");
  auto weights = new_matrix<double>(X.rows(), model.outputs(), "the weights", advice);
  call([&, out = writable_view(weights)] { dependency_weights(model, X, out); });
  return weights;
}

Numbers scores_of(const py::dict& parts, const py::object& inputs, const py::object& candidates) {
  const DependencyModel model = dependency_model_argument(parts);
  const CrossSource X = cross_source_argument(inputs, "X"), Y = cross_source_argument(candidates, "candidates");
  auto scores = new_matrix<double>(X.rows(), Y.rows(), "the scores", "use predict or nearest, which don't hold all of them");
  call([&, out = writable_view(scores)] { dependency_scores(model, X, Y, out); });
  return scores;
}

/// Indices and scores, q x count.
py::typing::Tuple<py::array_t<Index>, Numbers> nearest(const py::dict& parts, const py::object& inputs,
                                                       const py::object& candidates, Index count) {
  const DependencyModel model = dependency_model_argument(parts);
  const CrossSource X = cross_source_argument(inputs, "X"), Y = cross_source_argument(candidates, "candidates");
  NearestCandidates found;
  call([&] { found = nearest_outputs(model, X, Y, count); });
  const auto indices = array_of(found.indices).reshape({X.rows(), count});
  return py::make_tuple(indices, array_of(std::move(found.scores)));
}

Numbers linear(const py::object& weights, const py::object& outputs) {
  const auto W = matrix_argument<double>(weights, "weights");
  const PointsArgument Y(outputs, py::none());
  auto images = new_matrix<double>(W.rows(), Y.dimension(), "the pre-images", advice);
  call([&, out = writable_view(images)] { linear_preimages(W, Y.X(), out); });
  return images;
}

py::array_t<Index> decode(const py::object& images, Index symbols, const std::vector<Index>& lengths) {
  const auto numbers = matrix_argument<double>(images, "images");
  std::vector<Index> found;
  call([&] { found = decode_sequences(numbers, symbols, lengths); });
  return array_of(found).reshape({numbers.rows(), numbers.cols() / symbols});
}

}  // namespace

void bind_dependency(py::module_& module) {
  module.def(
      "fit", &fit, "X"_a, "Y"_a, "options"_a, "new_X"_a, "new_Y"_a,
      "All that a fit gives, by name. X and Y are (kernel, points) or Gram matrices; new ones are there to choose lambda.");
  module.def("weights", &weights_of, "model"_a, "X"_a, "Weights of the output supports in predictions, q x s.");
  module.def("scores", &scores_of, "model"_a, "X"_a, "candidates"_a, "Scores of all candidates, q x c.");
  module.def("nearest", &nearest, "model"_a, "X"_a, "candidates"_a, "count"_a,
             "Indices and scores of the candidates with the smallest scores, the best first.");
  module.def("linear_preimages", &linear, "weights"_a, "Y"_a, "Weighted sums of outputs.");
  module.def("decode_sequences", &decode, "images"_a, "symbols"_a, "lengths"_a,
             "Symbols by position, -1 beyond the end; without lengths of any length.");
}

}  // namespace gramian::python
