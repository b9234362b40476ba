// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: training, what it minimises, and what a trained model gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "deep_pca_spec.hpp"
#include "gramian/base/error.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "matrices.hpp"
#include "observer.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

constexpr const char* advice = "pass fewer samples at a time";

Facts train(const py::object& X, const py::list& levels, const py::dict& settings, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto all = deep_pca_levels_argument(levels);
  const DeepPcaOptions options = deep_pca_options_argument(settings);
  CallbackObserver observer(callback);
  DeepPcaFit fit;
  observer.call([&] { fit = fit_deep_pca(input, all, options, observer.if_wanted()); });
  return deep_pca_facts(std::move(fit));
}

/// Features by level, which rows were solved, and which were smoothed.
py::tuple transform(const py::dict& parts, const py::object& X, const py::object& training, const py::dict& settings) {
  const DeepPcaModel model = deep_pca_model_argument(parts);
  const PointsArgument points(X, training);
  const DeepPcaTransformOptions options = deep_pca_transform_options_argument(settings);
  DeepPcaCodes codes;
  call([&] {
    codes = points.inner() ? transform_deep_pca(model, points.inner_products(), options)
                           : transform_deep_pca(model, points.X(), points.Y(), options);
  });
  const auto solved = array_of(codes.solved), smoothed = array_of(codes.smoothed);
  return py::make_tuple(arrays_of(std::move(codes.features)), solved, smoothed, codes.iterations);
}

Numbers weights_of(const py::dict& parts, Index level, const py::object& codes) {
  const DeepPcaModel model = deep_pca_model_argument(parts);
  const auto C = matrix_argument<double>(codes, "codes");
  auto weights = new_matrix<double>(C.rows(), model.samples(), "the weights", advice);
  call([&, out = writable_view(weights)] { deep_pca_weights(model, level, C, out); });
  return weights;
}

/// Points, what was found on the way down, and which rows have converged.
py::tuple invert(const py::dict& parts, Index level, const py::object& codes, const py::object& training,
                 const py::dict& settings) {
  const DeepPcaModel model = deep_pca_model_argument(parts);
  const auto C = matrix_argument<double>(codes, "codes"), X = matrix_argument<double>(training, "training");
  const DeepPcaInverseOptions options = deep_pca_inverse_options_argument(settings);
  DeepPcaPreimages found;
  call([&] { found = invert_deep_pca(model, level, C, X, options); });
  const auto converged = array_of(found.converged);
  return py::make_tuple(array_of(std::move(found.points)), arrays_of(std::move(found.levels)), converged);
}

/// Lower bound, error, upper bound.
py::tuple bounds_of(const py::object& X, const py::dict& parts) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const DeepPcaModel model = deep_pca_model_argument(parts);
  DeepPcaBounds bounds;
  call([&] { bounds = deep_pca_bounds(input, model); });
  return py::make_tuple(bounds.lower, bounds.error, bounds.upper);
}

}  // namespace

void bind_deep_pca(py::module_& module) {
  module.def("fit", &train, "X"_a, "levels"_a, "options"_a, "callback"_a,
             "All that training gives, by name. A level is (kernel, components, eta).");
  module.def(
      "transform", &transform, "model"_a, "X"_a, "training"_a, "options"_a,
      "Features by level, which rows were solved, which were smoothed, iterations. X are points, or inner products without "
      "training.");
  module.def("weights", &weights_of, "model"_a, "level"_a, "codes"_a, "Weights of the training samples, q x n.");
  module.def("invert", &invert, "model"_a, "level"_a, "codes"_a, "training"_a, "options"_a,
             "Points, features found on the way down, which rows have converged.");
  module.def("bounds", &bounds_of, "X"_a, "model"_a, "[DKPCA] Lemma 4.1, corrected: lower, error, upper.");
  module.def("stabilised_objective", &stabilised_objective, "primal"_a, "c"_a, "[DKPCA] (5), stabilised.");
}

}  // namespace gramian::python
