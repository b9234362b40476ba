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
  bind_options<deep_pca::SelfConsistent>(module, "SelfConsistent", "solver 'self_consistent'");
  py::class_<deep_pca::ClosedForm>(module, "ClosedForm", "closed_form");
  py::class_<deep_pca::Levelwise>(module, "Levelwise", "levelwise");
  bind_options<deep_pca::Automatic>(module, "Automatic", "solver 'auto'");
  module.def("solver", &deep_pca::solver_named, "name"_a, "The solver of this name, with its defaults.");
  module.def("upper_gamma", &deep_pca::upper_gamma, "rows"_a, "components"_a, "Of a Gaussian on features, by default.");
  module.def("solver_names", &deep_pca::names_of_solvers, "Those of all solvers.");
}

void bind_enums(py::module_& module) {
  py::native_enum<deep_pca::Start>(module, "Start", "enum.Enum")
      .value("kpca", deep_pca::Start::kpca)
      .value("random", deep_pca::Start::random)
      .finalize();
  py::native_enum<deep_pca::Eigenvalues>(module, "Eigenvalues", "enum.Enum")
      .value("eliminated", deep_pca::Eigenvalues::eliminated)
      .value("joint", deep_pca::Eigenvalues::joint)
      .finalize();
  py::native_enum<deep_pca::Extension>(module, "Extension", "enum.Enum")
      .value("auto", deep_pca::Extension::automatic)
      .value("equations", deep_pca::Extension::equations)
      .value("smoother", deep_pca::Extension::smoother)
      .finalize();
  py::native_enum<deep_pca::Inverse>(module, "Inverse", "enum.Enum")
      .value("auto", deep_pca::Inverse::automatic)
      .value("fixed_point", deep_pca::Inverse::fixed_point)
      .value("ridge", deep_pca::Inverse::ridge)
      .finalize();
}

}  // namespace

void bind_deep_pca_options(py::module_& module) {
  bind_enums(module);
  bind_solvers(module);
  py::class_<deep_pca::Level>(module, "Level", "A kernel on what the level below has found; the first one on the data.")
      .def(py::init([](const py::object& kernel, Index components, double eta) {
             return deep_pca::Level{kernel_argument(kernel), components, eta};
           }),
           "kernel"_a, "components"_a, "eta"_a);
  bind_options<deep_pca::Summary>(module, "Summary", "a deep kernel PCA's summary");
  bind_options<deep_pca::LevelDefaults>(module, "LevelDefaults", "the levels");
  bind_options<deep_pca::Options>(module, "Options", "a deep kernel PCA");
  bind_options<deep_pca::TransformOptions>(module, "TransformOptions", "the features of new samples");
  bind_options<deep_pca::InverseOptions>(module, "InverseOptions", "the way back to the input");
  bind_options<deep_pca::ObjectiveOptions>(module, "ObjectiveOptions", "the objective of deep kernel PCA");
}

}  // namespace gramian::python
