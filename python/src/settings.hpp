// SPDX-License-Identifier: BSD-3-Clause
// Options by their names in C++, from a dict.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace gramian::python {

namespace py = pybind11;

template <class Choice>
using Names = std::initializer_list<std::pair<const char*, Choice>>;

/// Reads the entries of a dict, and refuses what nobody has read. What is missing keeps its default.
class Settings {
 public:
  explicit Settings(const py::dict& settings) : left_(settings.attr("copy")()) {}

  template <class T>
  void read(const char* name, T& value) {
    if (left_.contains(name)) value = left_.attr("pop")(name).template cast<T>();
  }

  template <class Choice>
  void read(const char* name, Choice& value, Names<Choice> choices) {
    if (!left_.contains(name)) return;
    const auto wanted = left_.attr("pop")(name).cast<std::string>();
    for (const auto& [text, choice] : choices) {
      if (wanted == text) {
        value = choice;
        return;
      }
    }
    throw py::value_error(std::string(name) + " can't be " + wanted);
  }

  void finish() const {
    if (left_.size() != 0) throw py::type_error("unknown options: " + py::repr(left_).cast<std::string>());
  }

 private:
  py::dict left_;
};

}  // namespace gramian::python
