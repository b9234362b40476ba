// SPDX-License-Identifier: BSD-3-Clause
#include "python_rows.hpp"

#include <string>
#include <utility>

#include "arrays.hpp"

namespace gramian::python {

PythonRows::PythonRows(py::object object)
    : object_(std::move(object)), size_(object_.attr("rows").cast<Index>()), dimension_(object_.attr("dimension").cast<Index>()) {
  require(size_ >= 0 && dimension_ >= 0, "a source of rows has a negative number of rows or features");
}

PythonRows::~PythonRows() {
  const py::gil_scoped_acquire gil;
  object_ = py::object();
}

void PythonRows::read(Index first, MatrixView<double> out) const {
  const py::gil_scoped_acquire gil;
  const py::object block = object_.attr("read")(first, out.rows());
  const auto rows = matrix_argument<double>(block, "what read returns");
  require(rows.rows() == out.rows() && rows.cols() == out.cols(),
          "what read returns is " + std::to_string(rows.rows()) + " x " + std::to_string(rows.cols()) + ", it must be " +
              std::to_string(out.rows()) + " x " + std::to_string(out.cols()));
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < out.cols(); ++k) out(i, k) = rows(i, k);
  }
}

}  // namespace gramian::python
