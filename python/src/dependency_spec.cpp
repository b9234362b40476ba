// SPDX-License-Identifier: BSD-3-Clause
#include "dependency_spec.hpp"

#include "arrays.hpp"
#include "kernel_spec.hpp"
#include "points.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

py::tuple parts_of(const py::object& object) {
  return py::isinstance<py::tuple>(object) ? py::reinterpret_borrow<py::tuple>(object) : py::tuple();
}

}  // namespace

GramSource gram_source_argument(const py::object& object, const char* name) {
  const py::tuple parts = parts_of(object);
  if (parts.size() != 2) return GramSource(matrix_argument<double>(object, name));
  return GramSource(kernel_argument(parts[0]), PointsArgument(parts[1], py::none()).X());
}

}  // namespace gramian::python
