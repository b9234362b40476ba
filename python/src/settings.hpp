// SPDX-License-Identifier: BSD-3-Clause
// Options by their names in C++, from a dict.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scalars.hpp"

namespace gramian::python {

/// Reads the entries of a dict: TypeError for one of the wrong kind, or that nobody has read. What is missing keeps its default.
class Settings {
 public:
  /// owner: whose options they are, for messages. Both must outlive this.
  Settings(const py::dict& settings, const std::string& owner) : given_(settings), owner_(owner) {}

  template <class T>
  void read(const char* name, T& value) {
    PyObject* item = PyDict_GetItemString(given_.ptr(), name);
    if (item == nullptr) return;
    read_.push_back(name);
    read_value(item, name, value);
  }

  /// TypeError for what nobody has read.
  void finish() const {
    if (read_.size() == given_.size()) return;
    for (const auto& [name, value] : given_) {
      const auto is_name = [&name = name](const char* known) { return name.equal(py::str(known)); };
      if (std::none_of(read_.begin(), read_.end(), is_name)) {
        throw py::type_error(owner_ + " has no option " + py::repr(name).cast<std::string>());
      }
    }
  }

 private:
  const py::dict& given_;
  const std::string& owner_;
  std::vector<const char*> read_;
};

}  // namespace gramian::python
