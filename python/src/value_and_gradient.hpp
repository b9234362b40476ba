// SPDX-License-Identifier: BSD-3-Clause
// A value with its gradient: what functions written in Python return to the engine, and the engine's to Python.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <cstddef>
#include <string>
#include <vector>

#include "scalars.hpp"

namespace gramian::python {

namespace py = pybind11;

struct ValueAndGradient {
  double value;
  py::array_t<double> gradient;
};

/// As Python has it.
using ValueGradientPair = py::typing::Tuple<py::float_, py::array_t<double>>;

inline py::tuple tuple_of(const std::vector<py::ssize_t>& shape) {
  py::tuple tuple(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) tuple[i] = shape[i];
  return tuple;
}

/// An array of this shape, without a cast that loses something. TypeError or ValueError with `what` if it is none.
inline py::array_t<double> array_of(py::handle object, const std::string& what, const std::vector<py::ssize_t>& shape) {
  auto array = py::array_t<double, py::array::c_style>::ensure(object);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(what + " must be an array of real numbers, got " + text_of(py::type::of(object)));
  }
  const py::tuple found = array.attr("shape"), expected = tuple_of(shape);
  if (!found.equal(expected)) throw py::value_error(what + " must have shape " + text_of(expected) + ", got " + text_of(found));
  return array;
}

/// The pair that `who`, a function, returned.
inline ValueAndGradient value_and_gradient(py::handle result, const std::string& who, const std::vector<py::ssize_t>& shape) {
  if (!py::isinstance<py::tuple>(result) || py::len(result) != 2) {
    throw py::type_error(who + " must return (value, gradient), got " + py::repr(result).cast<std::string>());
  }
  const auto pair = py::reinterpret_borrow<py::tuple>(result);
  return {number_of(pair[0], "the value that " + who + " returns"),
          array_of(pair[1], "the gradient that " + who + " returns", shape)};
}

}  // namespace gramian::python
