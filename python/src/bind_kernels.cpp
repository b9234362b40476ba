// SPDX-License-Identifier: BSD-3-Clause
// The list of kernels.
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "gramian/kernels/kernel.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Facts = py::typing::Dict<py::str, py::object>;

py::typing::List<Facts> kernel_list() {
  py::typing::List<Facts> kernels;
  for (const KernelInfo& info : kernel_registry()) {
    py::list parameters;
    for (const ParameterInfo& parameter : info.parameters) {
      parameters.append(Facts("name"_a = parameter.name, "meaning"_a = parameter.meaning, "lower"_a = parameter.lower,
                              "inclusive"_a = parameter.inclusive, "whole"_a = parameter.whole));
    }
    kernels.append(Facts("name"_a = info.name, "formula"_a = info.formula, "parameters"_a = parameters,
                         "needs_coordinates"_a = info.needs_coordinates));
  }
  return kernels;
}

}  // namespace

void bind_kernels(py::module_& module) {
  module.def("registry", &kernel_list, "Every kernel of the engine: name, formula, parameters with their domains.");
}

}  // namespace gramian::python
