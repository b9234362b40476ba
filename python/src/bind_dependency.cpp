// SPDX-License-Identifier: BSD-3-Clause
// Structured outputs: fitting, and what a fitted model gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "points.hpp"
#include "results.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

constexpr const char* advice = "pass fewer samples at a time";

dependency::Fit fit(const py::object& inputs, const py::object& outputs, const dependency::Options& options) {
  const GramSource X = gram_source_argument(inputs, "X"), Y = gram_source_argument(outputs, "Y");
  dependency::Fit result;
  call([&] { result = dependency::fit(X, Y, options); });
  return result;
}

Numbers weights_of(const DependencyArrays& model, const py::object& inputs) {
  const CrossSource X = cross_source_argument(inputs, "X");
  auto weights = new_matrix<double>(X.rows(), model.view().outputs(), "the weights", advice);
  call([&, out = writable_view(weights)] { dependency::weights(model.view(), X, out); });
  return weights;
}

Numbers scores_of(const DependencyArrays& model, const py::object& inputs, const py::object& candidates) {
  const CrossSource X = cross_source_argument(inputs, "X"), Y = cross_source_argument(candidates, "candidates");
  auto scores = new_matrix<double>(X.rows(), Y.rows(), "the scores", "use predict or nearest, which don't hold all of them");
  call([&, out = writable_view(scores)] { dependency::scores(model.view(), X, Y, out); });
  return scores;
}

/// q x count.
py::array_t<Index> nearest(const DependencyArrays& model, const py::object& inputs, const py::object& candidates, Index count) {
  const CrossSource X = cross_source_argument(inputs, "X"), Y = cross_source_argument(candidates, "candidates");
  std::vector<Index> found;
  call([&] { found = dependency::nearest_rows(model.view(), X, Y, count); });
  return array_of(found).reshape({X.rows(), count});
}

Numbers linear_of(const DependencyArrays& model, const py::object& inputs, const py::object& outputs) {
  const CrossSource X = cross_source_argument(inputs, "X");
  const PointsArgument Y(outputs, py::none());
  auto images = new_matrix<double>(X.rows(), Y.dimension(), "the pre-images", advice);
  call([&, out = writable_view(images)] { dependency::linear_predictions(model.view(), X, Y.X(), out); });
  return images;
}

py::array_t<Index> decode(const py::object& images, Index symbols, const std::vector<Index>& lengths) {
  const auto numbers = matrix_argument<double>(images, "images");
  std::vector<Index> found;
  call([&] { found = dependency::decode_sequences(numbers, symbols, lengths); });
  return array_of(found).reshape({numbers.rows(), numbers.cols() / symbols});
}

void bind_all_options(py::module_& module) {
  py::class_<IdentityOperator>(module, "Identity", "The identity.").def(py::init<>());
  py::class_<CovarianceOperator>(module, "Covariance", "C_YY.").def(py::init<>());
  bind_options<ConditionalOperator>(module, "Conditional", "C_YY|X");
  bind_options<dependency::Ranks>(module, "Ranks", "the ranks of both factors");
  bind_options<dependency::Options>(module, "Options", "a dependency estimation");
}

void bind_fit(py::module_& module) {
  py::class_<dependency::Fit> type(module, "Fit", "All that a fit gives.");
  const auto or_none = [&](const char* name, Matrix dependency::Model::* part) {
    type.def_property_readonly(
        name, [part](const py::object& self) { return array_or_none(self.cast<const dependency::Fit&>().model.*part, self); });
  };
  add_array(type, "coefficients", [](const dependency::Fit& fit) -> const Matrix& { return fit.model.coefficients; });
  or_none("input_factor", &dependency::Model::input_factor);
  or_none("output_factor", &dependency::Model::output_factor);
  or_none("components", &dependency::Model::components);
  type.def_property_readonly("mean", [](const dependency::Fit& fit) {
    return fit.model.centred ? std::optional(array_of(fit.model.mean)) : std::nullopt;
  });
  add_array(type, "input_supports", [](const dependency::Fit& fit) -> const auto& { return fit.model.input_supports; });
  add_array(type, "output_supports", [](const dependency::Fit& fit) -> const auto& { return fit.model.output_supports; });
  add_array(type, "criteria", [](const dependency::Fit& fit) -> const auto& { return fit.criteria; });
  type.def_readonly("lambda_", &dependency::Fit::lambda)
      .def_readonly("input_residual", &dependency::Fit::input_residual)
      .def_readonly("output_residual", &dependency::Fit::output_residual);
  module.def("fit", &fit, "X"_a, "Y"_a, "options"_a, "X and Y are (kernel, points) or Gram matrices.");
}

}  // namespace

void bind_dependency(py::module_& module) {
  bind_all_options(module);
  bind_fit(module);
  py::class_<DependencyArrays>(module, "Model", "A fitted model, on the memory of these arrays.")
      .def(py::init<const Numbers&, const std::optional<Numbers>&, const std::optional<Numbers>&, const std::optional<Numbers>&,
                    const std::optional<Numbers>&>(),
           py::arg("coefficients").noconvert(), py::arg("input_factor").noconvert() = py::none(),
           py::arg("output_factor").noconvert() = py::none(), py::arg("components").noconvert() = py::none(),
           py::arg("mean").noconvert() = py::none())
      .def("weights", &weights_of, "X"_a, "Weights of the output supports in predictions, q x s.")
      .def("scores", &scores_of, "X"_a, "candidates"_a, "Scores of all candidates, q x c.")
      .def("nearest", &nearest, "X"_a, "candidates"_a, "count"_a,
           "Rows of the candidates with the smallest scores, the best first.")
      .def("linear", &linear_of, "X"_a, "Y"_a, "Weighted sums of the output supports Y, without the weights.");
  module.def("decode_sequences", &decode, "images"_a, "symbols"_a, "lengths"_a,
             "Symbols by position, -1 beyond the end; without lengths of any length.");
}

}  // namespace gramian::python
