// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: its levels, its solvers and its options.
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "gramian/models/deep_pca/apply.hpp"
#include "kernel_spec.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

void bind_solvers(py::module_& module) {
  // Those of optim have their classes there.
  py::class_<DeepPcaSelfConsistent>(module, "SelfConsistent", "self_consistent")
      .def_readwrite("max_iterations", &DeepPcaSelfConsistent::max_iterations)
      .def_readwrite("gradient_tolerance", &DeepPcaSelfConsistent::gradient_tolerance);
  py::class_<DeepPcaClosedForm>(module, "ClosedForm", "closed_form");
  py::class_<DeepPcaLevelwise>(module, "Levelwise", "levelwise");
  py::class_<DeepPcaAutomatic>(module, "Automatic", "auto").def_readwrite("otherwise", &DeepPcaAutomatic::otherwise);
  module.def("solver", &deep_pca_solver, "name"_a, "The solver of this name, with its defaults.");
  module.def("upper_gamma", &deep_pca_upper_gamma, "rows"_a, "components"_a, "Of a Gaussian on features, by default.");
  module.def("solver_names", &deep_pca_solver_names, "Those of all solvers.");
}

void bind_enums(py::module_& module) {
  py::native_enum<DeepPcaStart>(module, "Start", "enum.Enum")
      .value("kpca", DeepPcaStart::kpca)
      .value("random", DeepPcaStart::random)
      .finalize();
  py::native_enum<DeepPcaEigenvalues>(module, "Eigenvalues", "enum.Enum")
      .value("eliminated", DeepPcaEigenvalues::eliminated)
      .value("joint", DeepPcaEigenvalues::joint)
      .finalize();
  py::native_enum<DeepPcaExtension>(module, "Extension", "enum.Enum")
      .value("auto", DeepPcaExtension::automatic)
      .value("equations", DeepPcaExtension::equations)
      .value("smoother", DeepPcaExtension::smoother)
      .finalize();
  py::native_enum<DeepPcaInverse>(module, "Inverse", "enum.Enum")
      .value("auto", DeepPcaInverse::automatic)
      .value("fixed_point", DeepPcaInverse::fixed_point)
      .value("ridge", DeepPcaInverse::ridge)
      .finalize();
}

}  // namespace

void bind_deep_pca_options(py::module_& module) {
  bind_enums(module);
  bind_solvers(module);
  py::class_<DeepPcaLevel>(module, "Level", "A kernel on what the level below has found; the first one on the data.")
      .def(py::init([](const py::object& kernel, Index components, double eta) {
             return DeepPcaLevel{kernel_argument(kernel), components, eta};
           }),
           "kernel"_a, "components"_a, "eta"_a);
  py::class_<DeepPcaSummary>(module, "Summary", "What is small of a model.")
      .def(py::init<>())
      .def_readwrite("levels", &DeepPcaSummary::levels)
      .def_readwrite("eigenvalues", &DeepPcaSummary::eigenvalues)
      .def_readwrite("centred", &DeepPcaSummary::centred)
      .def_readwrite("coupled", &DeepPcaSummary::coupled)
      .def_readwrite("means", &DeepPcaSummary::means)
      .def_readwrite("offsets", &DeepPcaSummary::offsets);
  py::class_<DeepPcaOptions>(module, "Options", "Options of a fit, with the engine's defaults.")
      .def(py::init<>())
      .def_readwrite("solver", &DeepPcaOptions::solver)
      .def_readwrite("start", &DeepPcaOptions::start)
      .def_readwrite("starts", &DeepPcaOptions::starts)
      .def_readwrite("seed", &DeepPcaOptions::seed)
      .def_readwrite("eigenvalues", &DeepPcaOptions::eigenvalues)
      .def_readwrite("centred", &DeepPcaOptions::centred)
      .def_readwrite("memory_budget", &DeepPcaOptions::memory_budget);
  py::class_<DeepPcaTransformOptions>(module, "TransformOptions", "How new samples get features, with the engine's defaults.")
      .def(py::init<>())
      .def_readwrite("extension", &DeepPcaTransformOptions::extension);
  py::class_<DeepPcaInverseOptions>(module, "InverseOptions", "The way back to the input, with the engine's defaults.")
      .def(py::init<>())
      .def_readwrite("method", &DeepPcaInverseOptions::method)
      .def_readwrite("ridge", &DeepPcaInverseOptions::ridge);
  py::class_<DeepPcaObjectiveOptions>(module, "ObjectiveOptions", "Options of J, with the engine's defaults.")
      .def(py::init<>())
      .def_readwrite("eigenvalues", &DeepPcaObjectiveOptions::eigenvalues)
      .def_readwrite("centred", &DeepPcaObjectiveOptions::centred)
      .def_readwrite("memory_budget", &DeepPcaObjectiveOptions::memory_budget);
}

}  // namespace gramian::python
