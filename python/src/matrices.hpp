// SPDX-License-Identifier: BSD-3-Clause
// Results of the engine as NumPy arrays; matrices without a copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <utility>
#include <vector>

#include "gramian/base/matrix.hpp"

namespace gramian::python {

namespace py = pybind11;

/// An array on the memory of a matrix.
inline py::array_t<double> array_of(Matrix&& matrix) {
  auto* owned = new Matrix(std::move(matrix));
  const py::capsule owner(owned, [](void* pointer) { delete static_cast<Matrix*>(pointer); });
  return py::array_t<double>({owned->rows(), owned->cols()}, owned->data(), owner);
}

/// A copy, of one dimension.
template <class T>
py::array_t<T> array_of(const std::vector<T>& numbers) {
  return py::array_t<T>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

}  // namespace gramian::python
