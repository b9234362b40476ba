// SPDX-License-Identifier: BSD-3-Clause
// Features of points in the coordinates of landmarks, and normal systems of these.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/landmark_features.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

LandmarkFeatures features_of(const py::tuple& kernel, const py::object& landmarks, double tolerance) {
  const Kernel k = kernel_argument(kernel);
  const PointsArgument C(landmarks, py::none());
  std::optional<LandmarkFeatures> made;
  call([&] { made.emplace(k, C.X(), tolerance); });
  return *made;
}

Numbers apply(const LandmarkFeatures& features, const py::object& samples) {
  const PointsArgument X(samples, py::none());
  auto out = new_matrix<double>(X.rows(), features.rank(), "the features", fewer_samples);
  call([&, to = writable_view(out)] { features.apply(X.X(), to); });
  return out;
}

NormalSystem system(const LandmarkFeatures& features, const py::object& samples, const py::object& targets,
                    const py::object& weights) {
  const PointsArgument X(samples, py::none());
  const auto Y = matrix_or_none(targets, "Y"), w = matrix_or_none(weights, "weights");
  NormalSystem found;
  call([&] { found = features.system(X.X(), w, Y); });
  return found;
}

}  // namespace

void bind_landmark_features(py::module_& module) {
  py::class_<LandmarkFeatures>(module, "LandmarkFeatures", "T^-1 k(p, x) for the pivots p of landmarks.")
      .def(py::init(&features_of), "kernel"_a, "C"_a, "tolerance"_a)
      .def_property_readonly("pivots", [](const LandmarkFeatures& it) { return array_of(it.basis().pivots()); })
      .def_property_readonly("root", [](const LandmarkFeatures& it) { return array_of(Matrix::copy_of(it.basis().root())); })
      .def("apply", &apply, "X"_a, "The features of points: a row each.")
      .def("system", &system, "X"_a, "Y"_a, "weights"_a, "The normal system of the features of all rows.");
}

}  // namespace gramian::python
