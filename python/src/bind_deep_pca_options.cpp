// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA: its levels, its solvers and its options.
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "gramian/models/deep_pca/apply.hpp"
#include "kernel_spec.hpp"
#include "option_fields.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

void bind_solvers(py::module_& module) {
  // Those of optim have their classes there.
  bind_options<DeepPcaSelfConsistent>(module, "SelfConsistent", "solver 'self_consistent'");
  py::class_<DeepPcaClosedForm>(module, "ClosedForm", "closed_form");
  py::class_<DeepPcaLevelwise>(module, "Levelwise", "levelwise");
  bind_options<DeepPcaAutomatic>(module, "Automatic", "solver 'auto'");
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
  bind_options<DeepPcaSummary>(module, "Summary", "a deep kernel PCA's summary");
  bind_options<DeepPcaOptions>(module, "Options", "a deep kernel PCA");
  bind_options<DeepPcaTransformOptions>(module, "TransformOptions", "the features of new samples");
  bind_options<DeepPcaInverseOptions>(module, "InverseOptions", "the way back to the input");
  bind_options<DeepPcaObjectiveOptions>(module, "ObjectiveOptions", "the objective of deep kernel PCA");
}

}  // namespace gramian::python
