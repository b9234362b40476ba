// SPDX-License-Identifier: BSD-3-Clause
// Structs of options as Python classes, by the fields that they name themselves.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>

#include "settings.hpp"

namespace gramian::python {

template <class T>
py::object name_of_choice(T value) {
  for (const auto& [name, choice] : ChoiceNames<T>::pairs) {
    if (choice == value) return py::str(name);
  }
  return py::none();
}

/// Name(**options), where what is missing keeps the engine's default, and a property for each field. owner: for messages. The
/// fields are in the docstring, from which tools/stubs.py has the keywords.
template <class Options>
py::class_<Options> bind_options(py::module_& module, const char* name, const std::string& owner) {
  py::class_<Options> bound(module, name, "Options by their names in the engine, with its defaults.");
  std::string keywords = "Keywords:";
  Options::fields([&](const char* field, auto) { keywords += std::string(" ") + field; });
  const auto make = [owner](const py::kwargs& given) {
    Settings settings(given, owner);
    Options options;
    Options::fields([&](const char* field, auto member) { settings.read(field, options.*member); });
    settings.finish();
    return options;
  };
  bound.def(py::init(make), keywords.c_str());
  Options::fields([&](const char* field, auto member) {
    using T = std::decay_t<decltype(std::declval<Options&>().*member)>;
    if constexpr (!BoundValue<T>::shown) {
    } else if constexpr (HasChoiceNames<T>::value) {
      bound.def_property_readonly(field, [member](const Options& o) -> py::str { return name_of_choice(o.*member); });
    } else {
      bound.def_property_readonly(field, [member](const Options& o) -> T { return o.*member; });
    }
  });
  return bound;
}

}  // namespace gramian::python
