// SPDX-License-Identifier: BSD-3-Clause
// The numbers that Python objects are, or a TypeError that names what is none.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <type_traits>
#include <vector>

namespace gramian::python {

namespace py = pybind11;

inline std::string text_of(py::handle object) { return py::str(object).cast<std::string>(); }

[[noreturn]] inline void refuse_kind(const std::string& what, const char* kind, py::handle object) {
  throw py::type_error(what + " must be " + kind + ", got " + py::repr(object).cast<std::string>());
}

inline double number_of(py::handle object, const std::string& what) {
  const double number = PyFloat_AsDouble(object.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  refuse_kind(what, "a number", object);
}

/// True and False are no integers.
template <class T>
T whole_of(py::handle object, const std::string& what) {
  if (PyIndex_Check(object.ptr()) == 0 || PyBool_Check(object.ptr()) != 0) refuse_kind(what, "an integer", object);
  try {
    return object.cast<T>();
  } catch (const py::cast_error&) {
    throw py::value_error(what + " is out of range, got " + py::repr(object).cast<std::string>());
  }
}

inline bool flag_of(py::handle object, const std::string& what) {
  py::detail::make_caster<bool> caster;
  if (!caster.load(object, false)) refuse_kind(what, "True or False", object);
  return static_cast<bool>(caster);
}

/// The value as what it is read into, which may be a list of such.
template <class T>
void read_value(py::handle object, const std::string& what, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = flag_of(object, what);
  } else if constexpr (std::is_integral_v<T>) {
    value = whole_of<T>(object, what);
  } else {
    value = number_of(object, what);
  }
}

template <class T>
void read_value(py::handle object, const std::string& what, std::vector<T>& values) {
  if (PySequence_Check(object.ptr()) == 0 || py::isinstance<py::str>(object)) refuse_kind(what, "a list", object);
  const std::string entry = "an entry of " + what;
  std::vector<T> found;
  for (const py::handle item : object) read_value(item, entry, found.emplace_back());
  values = std::move(found);
}

}  // namespace gramian::python
