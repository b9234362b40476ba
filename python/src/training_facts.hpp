// SPDX-License-Identifier: BSD-3-Clause
// What a training hands back, as Python has it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <vector>

#include "gramian/optim/objective.hpp"

namespace gramian::python {

using Facts = py::typing::Dict<py::str, py::object>;

/// The history by columns.
inline Facts columns_of(const std::vector<Iteration>& history) {
  using namespace py::literals;
  const auto column = [&](auto value) {
    py::array_t<decltype(value(history.front()))> array(static_cast<py::ssize_t>(history.size()));
    for (std::size_t i = 0; i < history.size(); ++i) array.mutable_data()[i] = value(history[i]);
    return array;
  };
  return Facts("iteration"_a = column([](const Iteration& it) { return it.number; }),
               "value"_a = column([](const Iteration& it) { return it.value; }),
               "gradient_norm"_a = column([](const Iteration& it) { return it.gradient_norm; }),
               "step"_a = column([](const Iteration& it) { return it.step; }),
               "evaluations"_a = column([](const Iteration& it) { return it.evaluations; }));
}

}  // namespace gramian::python
