// SPDX-License-Identifier: BSD-3-Clause
// Options by their names in C++, from a dict.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "scalars.hpp"

namespace gramian::python {

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

  /// TypeError for what nobody has read.
  void finish() const {
    for (const auto& item : left_) throw py::type_error(owner_ + " has no option " + py::repr(item.first).cast<std::string>());
  }

 private:
  py::dict left_;
  std::string owner_;
};

}  // namespace gramian::python
