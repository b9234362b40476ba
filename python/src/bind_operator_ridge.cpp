// SPDX-License-Identifier: BSD-3-Clause
// Options and results of ridge regression with an operator-valued kernel.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "gramian/ovk/operator_ridge.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

void bind_operator_ridge(py::module_& module) {
  py::native_enum<OperatorSolver>(module, "Solver", "enum.Enum")
      .value("auto", OperatorSolver::automatic)
      .value("cholesky", OperatorSolver::cholesky)
      .value("cg", OperatorSolver::conjugate_gradients)
      .finalize();
  bind_options<OperatorRidgeOptions>(module, "RidgeOptions", "a ridge regression");
  py::class_<OperatorRidge> result(module, "Ridge", "Coefficients of (K + lambda I) Psi = targets, and how they were found.");
  add_array(result, "coefficients", [](const OperatorRidge& found) -> const auto& { return found.coefficients; });
  result.def_readonly("solver", &OperatorRidge::solver)
      .def_readonly("iterations", &OperatorRidge::iterations)
      .def_readonly("residual", &OperatorRidge::residual)
      .def_readonly("converged", &OperatorRidge::converged)
      .def_property_readonly("stop_reason", [](const OperatorRidge& found) { return std::string(name_of(found.stop_reason)); })
      .def_readonly("objective", &OperatorRidge::objective)
      .def_property_readonly("history", [](const OperatorRidge& found) { return columns_of(found.history); });
}

}  // namespace gramian::python
