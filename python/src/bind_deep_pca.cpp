// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: training, and what a trained model gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "feature_spec.hpp"
#include "gramian/base/error.hpp"
#include "gramian/models/deep_pca/predictor.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "observer.hpp"
#include "predictor.hpp"
#include "results.hpp"
#include "shared_arrays.hpp"
#include "warm_start_argument.hpp"

// A vector of matrices says that it can be copied.
template <>
struct pybind11::detail::is_copy_constructible<gramian::deep_pca::Codes> : std::false_type {};

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

deep_pca::Fit train(const py::object& X, const std::vector<deep_pca::Level>& levels, const deep_pca::Options& options,
                    const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  deep_pca::Fit fit;
  observer.call([&] { fit = deep_pca::fit(input, levels, options, start, observer.if_wanted()); });
  return fit;
}

std::shared_ptr<deep_pca::Predictor> predictor(deep_pca::Summary summary, const py::sequence& features, const py::object& inputs,
                                               const py::object& coefficients, const py::object& centre,
                                               const py::object& weights, const py::object& training,
                                               const deep_pca::TransformOptions& transform,
                                               const deep_pca::InverseOptions& inverse) {
  deep_pca::Parts parts;
  parts.summary = std::move(summary);
  for (const py::object& H : features) parts.features.push_back(shared_matrix(H, "features"));
  parts.inputs = shared_matrix(inputs, "inputs");
  parts.coefficients = shared_matrix_or_none(coefficients, "coefficients");
  parts.centre = shared_matrix_or_none(centre, "centre");
  parts.weights = shared_matrix_or_none(weights, "weights");
  parts.training = shared_samples(training, "training");
  parts.transform = transform;
  parts.inverse = inverse;
  std::shared_ptr<deep_pca::Predictor> made;
  call([&] { made = std::make_shared<deep_pca::Predictor>(std::move(parts)); });
  return made;
}

FixedFeatures map_argument(const py::tuple& map, Index inputs) { return fixed_features_of(py::make_tuple(map), inputs).front(); }

std::shared_ptr<deep_pca::ParametricPredictor> parametric(Index inputs, const py::tuple& features, const py::tuple& back,
                                                          const deep_pca::Predictor& pca) {
  const FixedFeatures forward = map_argument(features, inputs);
  return std::make_shared<deep_pca::ParametricPredictor>(forward, map_argument(back, forward.outputs()), pca);
}

Numbers mapped(const FixedFeatures& map, const py::object& X) {
  const auto from = matrix_argument<double>(X, "X");
  auto images = new_matrix<double>(from.rows(), map.outputs(), "the images", fewer_samples);
  call([&, to = writable_view(images)] { map.apply(from, to); });
  return images;
}

deep_pca::Codes transform(const deep_pca::Predictor& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  deep_pca::Codes codes;
  call([&] { codes = model.codes(points.X()); });
  return codes;
}

Numbers weights_of(const deep_pca::Predictor& model, Index level, const py::object& codes) {
  const auto C = matrix_argument<double>(codes, "codes");
  auto weights = new_matrix<double>(C.rows(), model.view().samples(), "the weights", fewer_samples);
  call([&, out = writable_view(weights)] { deep_pca::weights(model.view(), level, C, out); });
  return weights;
}

deep_pca::LevelPreimages invert(const deep_pca::Predictor& model, Index level, const py::object& codes) {
  const auto C = matrix_argument<double>(codes, "codes");
  deep_pca::LevelPreimages found;
  call([&] { found = model.preimages(level, C); });
  return found;
}

deep_pca::Bounds bounds_of(const deep_pca::Predictor& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  deep_pca::Bounds bounds;
  call([&] { bounds = deep_pca::bounds(input, model.view()); });
  return bounds;
}

void bind_results(py::module_& module) {
  py::class_<deep_pca::Codes> codes(module, "Codes", "Features of new samples.");
  add_arrays(codes, "features", [](const deep_pca::Codes& found) -> const auto& { return found.features; });
  add_array(codes, "solved", [](const deep_pca::Codes& found) -> const auto& { return found.solved; });
  add_array(codes, "smoothed", [](const deep_pca::Codes& found) -> const auto& { return found.smoothed; });
  py::class_<deep_pca::LevelPreimages> preimages(module, "Preimages",
                                                 "Samples that features stand for, and which have converged.");
  add_array(preimages, "points", [](const deep_pca::LevelPreimages& found) -> const auto& { return found.points; });
  add_array(preimages, "converged", [](const deep_pca::LevelPreimages& found) -> const auto& { return found.converged; });
}

void bind_model(py::module_& module) {
  PredictorClass<deep_pca::Predictor>(module, "Predictor", "A trained model.")
      .def(py::init(&predictor), "summary"_a, "features"_a, "inputs"_a, "coefficients"_a, "centre"_a, "weights"_a, "training"_a,
           "transform_options"_a, "inverse_options"_a)
      .def("codes", &transform, "X"_a, "Features of new samples: points, or rows of inner products with the training samples.")
      .def("weights", &weights_of, "level"_a, "codes"_a, "Weights of the training samples, q x n.")
      .def("invert", &invert, "level"_a, "codes"_a, "Samples that features stand for.")
      .def("bounds", &bounds_of, "X"_a, "[DKPCA] Lemma 4.1, corrected.");
  using Parametric = deep_pca::ParametricPredictor;
  PredictorClass<Parametric>(module, "ParametricPredictor", "Trained levels between two maps.")
      .def(py::init(&parametric), "inputs"_a, "features"_a, "back"_a, "pca"_a)
      .def(
          "features", [](const Parametric& model, const py::object& X) { return mapped(model.features(), X); }, "X"_a, "phi(X)")
      .def("back", [](const Parametric& model, const py::object& Z) { return mapped(model.back(), Z); }, "Z"_a, "psi(Z)");
}

}  // namespace

void bind_deep_pca(py::module_& module) {
  bind_results(module);
  bind_model(module);
  module.def("fit", &train, "X"_a, "levels"_a, "options"_a, "warm_start"_a, "callback"_a,
             "A training on points, or on inner products. warm_start: features of all levels.");
}

}  // namespace gramian::python
