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
struct pybind11::detail::is_copy_constructible<gramian::deep_pca::Codes> : std::false_type {};

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

constexpr const char* advice = "pass fewer samples at a time";

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

deep_pca::Codes transform(const DeepPcaArrays& model, const py::object& X, const py::object& training,
                          const deep_pca::TransformOptions& options) {
  const PointsArgument points(X, training);
  deep_pca::Codes codes;
  call([&] {
    codes = points.inner() ? deep_pca::transform(model.view(), points.inner_products(), options)
                           : deep_pca::transform(model.view(), points.X(), points.Y(), options);
  });
  return codes;
}

Numbers weights_of(const DeepPcaArrays& model, Index level, const py::object& codes) {
  const auto C = matrix_argument<double>(codes, "codes");
  auto weights = new_matrix<double>(C.rows(), model.view().samples(), "the weights", advice);
  call([&, out = writable_view(weights)] { deep_pca::weights(model.view(), level, C, out); });
  return weights;
}

deep_pca::LevelPreimages invert(const DeepPcaArrays& model, Index level, const py::object& codes, const py::object& training,
                                const deep_pca::InverseOptions& options) {
  const auto C = matrix_argument<double>(codes, "codes"), X = matrix_argument<double>(training, "training");
  deep_pca::LevelPreimages found;
  call([&] { found = deep_pca::inverse_transform(model.view(), level, C, X, options); });
  return found;
}

deep_pca::Bounds bounds_of(const DeepPcaArrays& model, const py::object& X) {
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
  py::class_<deep_pca::Bounds>(module, "Bounds", "The error of the deep approximation, and what bounds it.")
      .def_readonly("lower", &deep_pca::Bounds::lower)
      .def_readonly("error", &deep_pca::Bounds::error)
      .def_readonly("upper", &deep_pca::Bounds::upper);
}

void bind_model(py::module_& module) {
  py::class_<DeepPcaArrays>(module, "Model", "A trained model, on the memory of these arrays.")
      .def(py::init<deep_pca::Summary, std::vector<Numbers>, Numbers>(), "summary"_a, py::arg("features").noconvert(),
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
