// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: all that a training gives.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/deep_pca/train.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

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
  add_search(fit, [](const deep_pca::Fit& found) -> const OptimResult& { return found.result; });
  fit.def_property_readonly("summary", [](const deep_pca::Fit& found) -> deep_pca::Summary { return found.model; })
      .def_property_readonly("solver", [](const deep_pca::Fit& found) { return name_of(found.solver); })
      .def_readonly("objective", &deep_pca::Fit::objective)
      .def_readonly("state", &deep_pca::Fit::state)
      .def_readonly("starts", &deep_pca::Fit::starts)
      .def_readonly("explained_variance_ratio", &deep_pca::Fit::explained_variance_ratio)
      .def_readonly("captured_trace", &deep_pca::Fit::captured_trace);
  module.def("stabilised_objective", &deep_pca::stabilised_objective, "primal"_a, "c"_a, "[DKPCA] (5), stabilised.");
}

}  // namespace gramian::python
