// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: training, and what a trained model gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "deep_pca_spec.hpp"
#include "gramian/base/error.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "observer.hpp"
#include "results.hpp"
#include "warm_start_argument.hpp"

// A vector of matrices says that it can be copied.
template <>
struct pybind11::detail::is_copy_constructible<gramian::DeepPcaCodes> : std::false_type {};

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

constexpr const char* advice = "pass fewer samples at a time";

DeepPcaFit train(const py::object& X, const std::vector<DeepPcaLevel>& levels, const DeepPcaOptions& options,
                 const py::object& warm_start, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const WarmStart start = warm_start_argument(warm_start);
  CallbackObserver observer(callback);
  DeepPcaFit fit;
  observer.call([&] { fit = fit_deep_pca(input, levels, options, start, observer.if_wanted()); });
  return fit;
}

DeepPcaCodes transform(const DeepPcaArrays& model, const py::object& X, const py::object& training,
                       const DeepPcaTransformOptions& options) {
  const PointsArgument points(X, training);
  DeepPcaCodes codes;
  call([&] {
    codes = points.inner() ? transform_deep_pca(model.view(), points.inner_products(), options)
                           : transform_deep_pca(model.view(), points.X(), points.Y(), options);
  });
  return codes;
}

Numbers weights_of(const DeepPcaArrays& model, Index level, const py::object& codes) {
  const auto C = matrix_argument<double>(codes, "codes");
  auto weights = new_matrix<double>(C.rows(), model.view().samples(), "the weights", advice);
  call([&, out = writable_view(weights)] { deep_pca_weights(model.view(), level, C, out); });
  return weights;
}

DeepPcaPreimages invert(const DeepPcaArrays& model, Index level, const py::object& codes, const py::object& training,
                        const DeepPcaInverseOptions& options) {
  const auto C = matrix_argument<double>(codes, "codes"), X = matrix_argument<double>(training, "training");
  DeepPcaPreimages found;
  call([&] { found = invert_deep_pca(model.view(), level, C, X, options); });
  return found;
}

DeepPcaBounds bounds_of(const DeepPcaArrays& model, const py::object& X) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  DeepPcaBounds bounds;
  call([&] { bounds = deep_pca_bounds(input, model.view()); });
  return bounds;
}

void bind_results(py::module_& module) {
  py::class_<DeepPcaCodes> codes(module, "Codes", "Features of new samples.");
  add_arrays(codes, "features", [](const DeepPcaCodes& found) -> const auto& { return found.features; });
  add_array(codes, "solved", [](const DeepPcaCodes& found) -> const auto& { return found.solved; });
  add_array(codes, "smoothed", [](const DeepPcaCodes& found) -> const auto& { return found.smoothed; });
  py::class_<DeepPcaPreimages> preimages(module, "Preimages", "Samples that features stand for, and which have converged.");
  add_array(preimages, "points", [](const DeepPcaPreimages& found) -> const auto& { return found.points; });
  add_array(preimages, "converged", [](const DeepPcaPreimages& found) -> const auto& { return found.converged; });
  py::class_<DeepPcaBounds>(module, "Bounds", "The error of the deep approximation, and what bounds it.")
      .def_readonly("lower", &DeepPcaBounds::lower)
      .def_readonly("error", &DeepPcaBounds::error)
      .def_readonly("upper", &DeepPcaBounds::upper);
}

void bind_model(py::module_& module) {
  py::class_<DeepPcaArrays>(module, "Model", "A trained model, on the memory of these arrays.")
      .def(py::init<DeepPcaSummary, std::vector<Numbers>, Numbers>(), "summary"_a, py::arg("features").noconvert(),
           py::arg("inputs").noconvert())
      .def("transform", &transform, "X"_a, "training"_a, "options"_a,
           "Features of new samples: points, or inner products without training.")
      .def("weights", &weights_of, "level"_a, "codes"_a, "Weights of the training samples, q x n.")
      .def("invert", &invert, "level"_a, "codes"_a, "training"_a, "options"_a, "Samples that features stand for.")
      .def("bounds", &bounds_of, "X"_a, "[DKPCA] Lemma 4.1, corrected.");
}

}  // namespace

void bind_deep_pca(py::module_& module) {
  bind_results(module);
  bind_model(module);
  module.def("fit", &train, "X"_a, "levels"_a, "options"_a, "warm_start"_a, "callback"_a,
             "A training on points, or on inner products. warm_start: features of all levels.");
}

}  // namespace gramian::python
