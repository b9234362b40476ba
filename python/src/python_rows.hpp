// SPDX-License-Identifier: BSD-3-Clause
// A Python object that reads rows, as a source of the engine.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/gram/row_source.hpp"

namespace gramian::python {

namespace py = pybind11;

/// An object with `rows`, `dimension` and read(first, count), which returns a float64 matrix. It may be used without the GIL.
class PythonRows final : public RowSource {
 public:
  /// Throws TypeError for an object that has none of these.
  explicit PythonRows(py::object object);
  ~PythonRows() override;
  PythonRows(const PythonRows&) = delete;
  PythonRows& operator=(const PythonRows&) = delete;

  static bool is_one(const py::object& object) { return py::hasattr(object, "read") && py::hasattr(object, "dimension"); }

  Index size() const override { return size_; }
  Index dimension() const override { return dimension_; }
  void read(Index first, MatrixView<double> out) const override;

 private:
  py::object object_;
  Index size_;
  Index dimension_;
};

}  // namespace gramian::python
