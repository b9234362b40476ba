// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: all that a training gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/deep_pca/landmarks.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"
#include "python_rows.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

deep_pca::Fit fit_landmarks(const py::object& samples, const py::object& landmarks, const deep_pca::Level& level, bool centred,
                            const py::object& weights) {
  const PointsArgument Z(landmarks, py::none());
  const auto w = matrix_or_none(weights, "weights");
  deep_pca::Fit fit;
  if (PythonRows::is_one(samples)) {
    const PythonRows X(samples);
    call([&] { fit = deep_pca::fit_landmarks(static_cast<const RowSource&>(X), Z.X(), level, centred, w); });
  } else {
    const PointsArgument X(samples, py::none());
    call([&] { fit = deep_pca::fit_landmarks(X.X(), Z.X(), level, centred, w); });
  }
  return fit;
}

deep_pca::Fit fit_sums(const NormalSystem& system, double trace, double samples, const py::object& landmarks,
                       const deep_pca::Level& level, bool centred) {
  const PointsArgument Z(landmarks, py::none());
  const deep_pca::Sums sums{system.clone(), trace, samples};
  deep_pca::Fit fit;
  call([&] { fit = deep_pca::fit_landmarks(sums, Z.X(), level, centred); });
  return fit;
}

}  // namespace

void bind_deep_pca_fit(py::module_& module) {
  py::class_<deep_pca::State>(module, "State", "What is known of a point beside J.")
      .def_readonly("energy", &deep_pca::State::energy)
      .def_readonly("primal", &deep_pca::State::primal)
      .def_readonly("residuals", &deep_pca::State::residuals)
      .def_readonly("eigenvalues", &deep_pca::State::eigenvalues)
      .def_readonly("captured", &deep_pca::State::captured)
      .def_readonly("kernel_traces", &deep_pca::State::kernel_traces)
      .def_readonly("level_traces", &deep_pca::State::level_traces);
  py::class_<deep_pca::StartReport>(module, "StartReport", "Where a start ended.")
      .def_readonly("value", &deep_pca::StartReport::value)
      .def_readonly("captured_trace", &deep_pca::StartReport::captured_trace);
  py::class_<deep_pca::Fit> fit(module, "Fit", "All that a training gives.");
  add_arrays(fit, "features", [](const deep_pca::Fit& found) -> const auto& { return found.model.features; });
  add_array(fit, "inputs", [](const deep_pca::Fit& found) -> const auto& { return found.model.inputs; });
  fit.def_property_readonly("coefficients", [](const py::object& self) {
    return array_or_none(self.cast<const deep_pca::Fit&>().model.coefficients, self);
  });
  fit.def_property_readonly(
      "centre", [](const py::object& self) { return array_or_none(self.cast<const deep_pca::Fit&>().model.centre, self); });
  fit.def_property_readonly(
      "weights", [](const py::object& self) { return array_or_none(self.cast<const deep_pca::Fit&>().model.weights, self); });
  add_search(fit, [](const deep_pca::Fit& found) -> const OptimResult& { return found.result; });
  fit.def_property_readonly("summary", [](const deep_pca::Fit& found) -> deep_pca::Summary { return found.model; })
      .def_property_readonly("solver", [](const deep_pca::Fit& found) { return name_of(found.solver); })
      .def_readonly("objective", &deep_pca::Fit::objective)
      .def_readonly("state", &deep_pca::Fit::state)
      .def_readonly("starts", &deep_pca::Fit::starts)
      .def_readonly("explained_variance_ratio", &deep_pca::Fit::explained_variance_ratio)
      .def_readonly("captured_trace", &deep_pca::Fit::captured_trace);
  module.def("fit_landmarks", &fit_landmarks, "X"_a, "landmarks"_a, "level"_a, "centred"_a, "weights"_a,
             "One level in the span of landmarks, of points or of rows that are read.");
  module.def("fit_sums", &fit_sums, "system"_a, "trace"_a, "samples"_a, "landmarks"_a, "level"_a, "centred"_a,
             "The same from a normal system for a column of ones.");
  py::class_<deep_pca::Bounds>(module, "Bounds", "The error of the deep approximation, and what bounds it.")
      .def_readonly("lower", &deep_pca::Bounds::lower)
      .def_readonly("error", &deep_pca::Bounds::error)
      .def_readonly("upper", &deep_pca::Bounds::upper);
  module.def("stabilised_objective", &deep_pca::stabilised_objective, "primal"_a, "c"_a, "[DKPCA] (5), stabilised.");
}

}  // namespace gramian::python
