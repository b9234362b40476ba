// SPDX-License-Identifier: BSD-3-Clause
// What a search hands back, as Python has it: the same properties in every class of results.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "gramian/optim/objective.hpp"

namespace gramian::python {

namespace py = pybind11;

/// Rows of facts by columns: an array for each name.
using Columns = py::typing::Dict<py::str, py::array>;

/// value: a member of a row, or a function of it.
template <class Row, class Value>
void add_column(Columns& columns, const char* name, const std::vector<Row>& rows, Value value) {
  using T = std::decay_t<std::invoke_result_t<Value, const Row&>>;
  py::array_t<T> array(static_cast<py::ssize_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) array.mutable_data()[i] = std::invoke(value, rows[i]);
  columns[name] = array;
}

inline Columns columns_of(const std::vector<Iteration>& history) {
  Columns columns;
  add_column(columns, "iteration", history, &Iteration::number);
  add_column(columns, "value", history, &Iteration::value);
  add_column(columns, "gradient_norm", history, &Iteration::gradient_norm);
  add_column(columns, "step", history, &Iteration::step);
  add_column(columns, "evaluations", history, &Iteration::evaluations);
  return columns;
}

/// Why and when a search ended. get(result) is its OptimResult.
template <class Result, class Get>
void add_end(py::class_<Result>& type, Get get) {
  type.def_property_readonly("stop_reason", [get](const Result& r) { return std::string(name_of(get(r).stop_reason)); })
      .def_property_readonly("converged", [get](const Result& r) { return converged(get(r).stop_reason); })
      .def_property_readonly("iterations", [get](const Result& r) { return get(r).iterations; });
}

/// The same, and the history by columns.
template <class Result, class Get>
void add_search(py::class_<Result>& type, Get get) {
  add_end(type, get);
  type.def_property_readonly("history", [get](const Result& r) { return columns_of(get(r).history); });
}

}  // namespace gramian::python
