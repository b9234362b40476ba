// SPDX-License-Identifier: BSD-3-Clause
// The numbers that Python objects are, or a TypeError that names what is none.
#pragma once

#include <pybind11/pybind11.h>

#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
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

/// The one of `choices`, pairs of a name and a value, that an object names.
template <class Choices>
auto choice_of(py::handle object, const std::string& what, const Choices& choices) {
  std::string listed;
  std::size_t left = std::size(choices);
  for (const auto& [name, choice] : choices) {
    if (object.equal(py::str(name))) return choice;
    listed += std::string("'") + name + "'" + (left > 2 ? ", " : left == 2 ? " or " : "");
    --left;
  }
  throw py::value_error(what + " must be " + listed + ", got " + py::repr(object).cast<std::string>());
}

/// ChoiceNames<Choice>::pairs are the names of an enumeration's values, for one that Python knows by names only. The others are
/// bound as enumerations.
template <class Choice>
struct ChoiceNames;

template <class T, class = void>
struct HasChoiceNames : std::false_type {};

template <class T>
struct HasChoiceNames<T, std::void_t<decltype(ChoiceNames<T>::pairs)>> : std::true_type {};

/// A struct, a variant or an enumeration that is bound. Specialised for what is made of other objects; then `shown` is false if
/// there is no way back.
template <class T>
struct BoundValue {
  static constexpr bool shown = true;
  static T read(py::handle object, const std::string& what) {
    try {
      return object.cast<T>();
    } catch (const py::cast_error&) {
      if constexpr (std::is_enum_v<T>) {
        refuse_kind(what, "a member of its enumeration", object);
      } else {
        refuse_kind(what, "options of the engine", object);
      }
    }
  }
};

/// The value as what it is read into: a number, a choice by its name, a bound value, a list of such, or None for no value.
template <class T>
void read_value(py::handle object, const std::string& what, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = flag_of(object, what);
  } else if constexpr (std::is_integral_v<T>) {
    value = whole_of<T>(object, what);
  } else if constexpr (std::is_floating_point_v<T>) {
    value = number_of(object, what);
  } else if constexpr (HasChoiceNames<T>::value) {
    value = choice_of(object, what, ChoiceNames<T>::pairs);
  } else {
    value = BoundValue<T>::read(object, what);
  }
}

template <class T>
void read_value(py::handle object, const std::string& what, std::optional<T>& value) {
  if (object.is_none()) return value.reset();
  T found{};
  read_value(object, what, found);
  value = found;
}

template <class T>
void read_value(py::handle object, const std::string& what, std::vector<T>& values) {
  if (PySequence_Check(object.ptr()) == 0 || py::isinstance<py::str>(object)) refuse_kind(what, "a list", object);
  const std::string entry = "an entry of " + what;
  std::vector<T> found;
  for (const py::handle item : object) {
    if constexpr (std::is_default_constructible_v<T>) {
      read_value(item, entry, found.emplace_back());
    } else {
      found.push_back(BoundValue<T>::read(item, entry));
    }
  }
  values = std::move(found);
}

}  // namespace gramian::python
