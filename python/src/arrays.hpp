// SPDX-License-Identifier: BSD-3-Clause
// NumPy arrays as views of the engine and back, without a copy in either direction.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian::python {

namespace py = pybind11;

// pybind11's own conversions would copy, parse strings and drop masks without a word; here an array fits or is refused.
inline py::array checked_matrix(const py::object& object, const char* name) {
  const std::string argument(name);
  if (!py::isinstance<py::array>(object)) throw py::type_error(argument + " must be a numpy.ndarray");
  auto array = py::reinterpret_borrow<py::array>(object);
  if (!py::isinstance<py::array_t<double>>(array) && !py::isinstance<py::array_t<float>>(array)) {
    throw py::type_error(argument + " must have dtype float64 or float32 in native byte order, got " +
                         py::repr(array.dtype()).cast<std::string>());
  }
  if (array.ndim() != 2) throw py::type_error(argument + " must have 2 dimensions, got " + std::to_string(array.ndim()));
  bool aligned = (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  for (int axis = 0; axis < 2; ++axis) {
    aligned = aligned && (array.shape(axis) < 2 || array.strides(axis) % array.itemsize() == 0);
  }
  if (!aligned) throw py::type_error(argument + " must be aligned");
  return array;
}

template <class T>
MatrixView<const T> view_of(const py::array& array) {
  return {static_cast<const T*>(array.data()), array.shape(0), array.shape(1), array.strides(0) / array.itemsize(),
          array.strides(1) / array.itemsize()};
}

/// For an argument whose type another argument has decided. The view is valid as long as `object` is referenced by the caller.
template <class T>
MatrixView<const T> matrix_argument(const py::object& object, const char* name) {
  const py::array array = checked_matrix(object, name);
  if (!py::isinstance<py::array_t<T>>(array)) {
    throw py::type_error(std::string(name) + " must have the dtype of the points, got " +
                         py::repr(array.dtype()).cast<std::string>());
  }
  return view_of<T>(array);
}

/// A contiguous array of this dtype. Nothing is converted: isinstance holds for native byte order alone.
template <class T>
py::array contiguous_argument(const py::object& object, const std::string& name) {
  if (!py::isinstance<py::array_t<T, py::array::c_style>>(object)) {
    throw py::type_error(name + " must be a contiguous numpy.ndarray of dtype " +
                         py::str(py::dtype::of<T>()).template cast<std::string>());
  }
  return py::reinterpret_borrow<py::array>(object);
}

/// The numbers of one, so many in all.
template <class T>
const T* numbers_argument(const py::object& object, const std::string& name, Index count) {
  const py::array array = contiguous_argument<T>(object, name);
  require(array.size() == count,
          name + " has " + std::to_string(array.size()) + " numbers, it must have " + std::to_string(count));
  return static_cast<const T*>(array.data());
}

/// An uninitialised row-major array on the engine's memory, refused in time if it would not fit.
template <class T>
py::array_t<T> new_matrix(Index rows, Index cols, const std::string& what, const std::string& advice) {
  const Index bytes = checked_product(checked_product(rows, cols), sizeof(T));
  require_memory(static_cast<std::uint64_t>(bytes), what, advice);
  std::unique_ptr<void, decltype(&free_bytes)> memory(allocate_bytes(static_cast<std::size_t>(bytes)), &free_bytes);
  T* data = static_cast<T*>(memory.get());
  const py::capsule owner(memory.get(), [](void* pointer) { free_bytes(pointer); });
  memory.release();
  return py::array_t<T>({rows, cols}, data, owner);
}

template <class T>
MatrixView<T> writable_view(py::array_t<T>& array) {
  return {array.mutable_data(), array.shape(0), array.shape(1)};
}

}  // namespace gramian::python
