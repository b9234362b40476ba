// SPDX-License-Identifier: BSD-3-Clause
// Options by their names in C++, from a dict.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "scalars.hpp"

namespace gramian::python {

template <class Choice>
using Names = std::initializer_list<std::pair<const char*, Choice>>;

/// Reads the entries of a dict: TypeError for one of the wrong kind, or that nobody has read. What is missing keeps its default.
class Settings {
 public:
  /// owner: whose options they are, for messages.
  explicit Settings(const py::dict& settings, std::string owner = "the model")
      : left_(settings.attr("copy")()), owner_(std::move(owner)) {}

  template <class T>
  void read(const char* name, T& value) {
    if (left_.contains(name)) read_value(left_.attr("pop")(name), name, value);
  }

  template <class Choice>
  void read(const char* name, Choice& value, Names<Choice> choices) {
    if (!left_.contains(name)) return;
    const py::object wanted = left_.attr("pop")(name);
    for (const auto& [text, choice] : choices) {
      if (wanted.equal(py::str(text))) {
        value = choice;
        return;
      }
    }
    throw py::value_error(std::string(name) + " must be " + listed(choices) + ", got " + py::repr(wanted).cast<std::string>());
  }

  /// When an optimiser stops: these have the same names everywhere.
  template <class Options>
  void read_limits(Options& options) {
    read("max_iterations", options.max_iterations);
    read("gradient_tolerance", options.gradient_tolerance);
    read("value_tolerance", options.value_tolerance);
  }

  /// TypeError for what nobody has read.
  void finish() const {
    for (const auto& item : left_) throw py::type_error(owner_ + " has no option " + py::repr(item.first).cast<std::string>());
  }

 private:
  /// 'a', 'b' or 'c'
  template <class Choice>
  static std::string listed(Names<Choice> choices) {
    std::string text;
    std::size_t left = choices.size();
    for (const auto& [name, choice] : choices) {
      text += std::string("'") + name + "'" + (left > 2 ? ", " : left == 2 ? " or " : "");
      --left;
    }
    return text;
  }

  py::dict left_;
  std::string owner_;
};

}  // namespace gramian::python
