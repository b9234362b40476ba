// SPDX-License-Identifier: BSD-3-Clause
#include "operator_spec.hpp"

#include <string>
#include <utility>
#include <vector>

#include "kernel_spec.hpp"
#include "layer_spec.hpp"

namespace gramian::python {

namespace py = pybind11;

OperatorKernelPointer operator_kernel_argument(py::handle spec) {
  const auto parts = spec.cast<py::tuple>();
  const auto name = parts[0].cast<std::string>();
  if (name == "separable") return separable_kernel(kernel_argument(parts[1]), operator_argument(parts[2]));
  if (name == "pointwise") return pointwise_kernel(parts[1].cast<Index>());
  if (name == "diagonal") {
    return diagonal_regularization(kernel_argument(parts[1]), parts[2].cast<double>(), parts[3].cast<Index>());
  }
  if (name != "sum") throw py::type_error("there is no operator-valued kernel " + name);
  std::vector<std::pair<double, OperatorKernelPointer>> terms;
  for (const py::handle term : parts[1]) {
    const auto pair = term.cast<py::tuple>();
    terms.emplace_back(pair[0].cast<double>(), operator_kernel_argument(pair[1]));
  }
  return sum_kernel(std::move(terms));
}

}  // namespace gramian::python
