// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_spec.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gramian/layers/composition_map.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

/// Python's own guard: a tuple that is nested too deep ends in a RecursionError and not in the end of the stack.
class RecursionGuard {
 public:
  RecursionGuard() {
    if (Py_EnterRecursiveCall(" while reading a kernel") != 0) throw py::error_already_set();
  }
  ~RecursionGuard() { Py_LeaveRecursiveCall(); }
  RecursionGuard(const RecursionGuard&) = delete;
  RecursionGuard& operator=(const RecursionGuard&) = delete;
};

[[noreturn]] void refuse(py::handle spec) {
  throw py::type_error(
      "a kernel must be (name, parameters, length_scales), ('sum', a, b), ('product', a, b), ('multiple', factor, a) or "
      "('images', map, a), got " +
      py::repr(spec).cast<std::string>());
}

double number(py::handle object) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return value;
}

std::vector<double> numbers(py::handle object, py::handle spec) {
  if (!py::isinstance<py::tuple>(object)) refuse(spec);
  std::vector<double> values;
  for (const py::handle item : py::reinterpret_borrow<py::tuple>(object)) values.push_back(number(item));
  return values;
}

std::shared_ptr<const PointMap> map_argument(py::handle object, py::handle spec) {
  if (!py::isinstance<CompositionMap>(object)) refuse(spec);
  return object.cast<std::shared_ptr<CompositionMap>>();
}

}  // namespace

Kernel kernel_argument(py::handle spec) {
  const RecursionGuard guard;
  if (!py::isinstance<py::tuple>(spec)) refuse(spec);
  const auto parts = py::reinterpret_borrow<py::tuple>(spec);
  if (parts.size() != 3 || !py::isinstance<py::str>(parts[0])) refuse(spec);
  const std::string name = parts[0].cast<std::string>();
  if (name == "sum") return kernel_argument(parts[1]) + kernel_argument(parts[2]);
  if (name == "product") return kernel_argument(parts[1]) * kernel_argument(parts[2]);
  if (name == "multiple") return number(parts[1]) * kernel_argument(parts[2]);
  if (name == "images") return on_images(map_argument(parts[1], spec), kernel_argument(parts[2]));
  return Kernel(name, numbers(parts[1], spec), numbers(parts[2], spec));
}

}  // namespace gramian::python
