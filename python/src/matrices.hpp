// SPDX-License-Identifier: BSD-3-Clause
// Matrices of the engine as NumPy arrays, without a copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <utility>

#include "gramian/base/matrix.hpp"

namespace gramian::python {

namespace py = pybind11;

/// An array on the memory of a matrix.
inline py::array_t<double> array_of(Matrix&& matrix) {
  auto* owned = new Matrix(std::move(matrix));
  const py::capsule owner(owned, [](void* pointer) { delete static_cast<Matrix*>(pointer); });
  return py::array_t<double>({owned->rows(), owned->cols()}, owned->data(), owner);
}

}  // namespace gramian::python
