// SPDX-License-Identifier: BSD-3-Clause
// Results of the engine as Python classes: their matrices are arrays on the result's own memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"

namespace gramian::python {

namespace py = pybind11;

/// A matrix of `owner`, which lives as long as the array.
inline py::array_t<double> array_in(const Matrix& matrix, const py::object& owner) {
  return py::array_t<double>({matrix.rows(), matrix.cols()}, matrix.data(), owner);
}

inline std::vector<py::array_t<double>> arrays_in(const std::vector<Matrix>& matrices, const py::object& owner) {
  std::vector<py::array_t<double>> arrays;
  for (const Matrix& matrix : matrices) arrays.push_back(array_in(matrix, owner));
  return arrays;
}

template <class T>
py::array_t<T> array_in(const std::vector<T>& numbers, const py::object& owner) {
  return py::array_t<T>(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
}

/// The same, and None for an empty matrix.
inline std::optional<py::array_t<double>> array_or_none(const Matrix& matrix, const py::object& owner) {
  if (matrix.empty()) return std::nullopt;
  return array_in(matrix, owner);
}

/// A read-only property of a class that is bound: get(result) is a vector of matrices.
template <class Result, class Get>
void add_arrays(py::class_<Result>& type, const char* name, Get get) {
  type.def_property_readonly(name, [get](const py::object& self) { return arrays_in(get(self.cast<const Result&>()), self); });
}

/// A read-only property of a class that is bound: get(result) is what array_in() takes.
template <class Result, class Get>
void add_array(py::class_<Result>& type, const char* name, Get get) {
  type.def_property_readonly(name, [get](const py::object& self) { return array_in(get(self.cast<const Result&>()), self); });
}

}  // namespace gramian::python
