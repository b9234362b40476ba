// SPDX-License-Identifier: BSD-3-Clause
// Options by their names in C++, from a dict.
#pragma once

#include <pybind11/pybind11.h>

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
    value = choice_of(left_.attr("pop")(name), name, choices);
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
  py::dict left_;
  std::string owner_;
};

}  // namespace gramian::python
