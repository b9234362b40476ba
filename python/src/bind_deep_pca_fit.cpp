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
  py::class_<DeepPcaState>(module, "State", "What is known of a point beside J.")
      .def_readonly("energy", &DeepPcaState::energy)
      .def_readonly("primal", &DeepPcaState::primal)
      .def_readonly("residuals", &DeepPcaState::residuals)
      .def_readonly("eigenvalues", &DeepPcaState::eigenvalues)
      .def_readonly("captured", &DeepPcaState::captured)
      .def_readonly("kernel_traces", &DeepPcaState::kernel_traces)
      .def_readonly("level_traces", &DeepPcaState::level_traces);
  py::class_<DeepPcaStartReport>(module, "StartReport", "Where a start ended.")
      .def_readonly("value", &DeepPcaStartReport::value)
      .def_readonly("captured_trace", &DeepPcaStartReport::captured_trace);
  py::class_<DeepPcaFit> fit(module, "Fit", "All that a training gives.");
  add_arrays(fit, "features", [](const DeepPcaFit& found) -> const auto& { return found.model.features; });
  add_array(fit, "inputs", [](const DeepPcaFit& found) -> const auto& { return found.model.inputs; });
  add_search(fit, [](const DeepPcaFit& found) -> const OptimResult& { return found.result; });
  fit.def_property_readonly("summary", [](const DeepPcaFit& found) -> DeepPcaSummary { return found.model; })
      .def_property_readonly("solver", [](const DeepPcaFit& found) { return name_of(found.solver); })
      .def_readonly("objective", &DeepPcaFit::objective)
      .def_readonly("state", &DeepPcaFit::state)
      .def_readonly("starts", &DeepPcaFit::starts)
      .def_readonly("explained_variance_ratio", &DeepPcaFit::explained_variance_ratio)
      .def_readonly("captured_trace", &DeepPcaFit::captured_trace);
  module.def("stabilised_objective", &stabilised_objective, "primal"_a, "c"_a, "[DKPCA] (5), stabilised.");
}

}  // namespace gramian::python
