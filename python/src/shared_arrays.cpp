// SPDX-License-Identifier: BSD-3-Clause
#include "shared_arrays.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "gramian/base/error.hpp"
#include "points.hpp"

namespace gramian::python {

namespace {

/// After the end of the interpreter there is nothing left to release.
void release(const py::object* object) {
  if (Py_IsInitialized() == 0) return;
  const py::gil_scoped_acquire gil;
  delete object;
}

ClassLabel label_of(py::handle label) {
  if (py::isinstance<py::int_>(label)) {
    int overflow = 0;
    const auto value = static_cast<std::int64_t>(PyLong_AsLongLongAndOverflow(label.ptr(), &overflow));
    if (overflow == 0) return value;
  }
  if (py::isinstance<py::float_>(label)) return label.cast<double>();
  return py::str(label).cast<std::string>();
}

}  // namespace

std::shared_ptr<const void> owner_of(py::object object) {
  auto* kept = new py::object(std::move(object));
  return std::shared_ptr<const void>(kept, [](const void* pointer) { release(static_cast<const py::object*>(pointer)); });
}

SharedMatrix shared_matrix(const py::object& object, const char* name) {
  const py::array array = contiguous_argument<double>(object, name);
  if (array.ndim() != 2) throw py::type_error(std::string(name) + " must have 2 dimensions, got " + std::to_string(array.ndim()));
  return SharedMatrix(view_of<double>(array), owner_of(array));
}

SharedMatrix shared_matrix_or_none(const py::object& object, const char* name) {
  return object.is_none() ? SharedMatrix() : shared_matrix(object, name);
}

Samples shared_samples(const py::object& object, const char* name) {
  if (object.is_none()) return {};
  if (py::isinstance<py::int_>(object)) return Samples::counted(object.cast<Index>());
  const PointsArgument points(object, py::none());
  if (!points.float64() || points.inner()) throw py::type_error(std::string(name) + " must be points of dtype float64");
  if (points.sparse()) return Samples(points.X().sparse64(), owner_of(object));
  return Samples(shared_matrix(object, name));
}

std::vector<ClassLabel> labels_of(const py::sequence& labels) {
  std::vector<ClassLabel> out;
  for (const py::object& label : labels) out.push_back(label_of(label));
  return out;
}

}  // namespace gramian::python
