// SPDX-License-Identifier: BSD-3-Clause
// Rows and columns of samples: which are equal, which are far from each other, how large they are.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/column_scaling.hpp"
#include "gramian/gram/distinct_rows.hpp"
#include "gramian/gram/informativeness.hpp"
#include "gramian/gram/spread_rows.hpp"
#include "matrices.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

template <class First, class Second>
using Pair = py::typing::Tuple<py::array_t<First>, py::array_t<Second>>;

Pair<Index, bool> distinct(const py::object& X, const py::object& labels, const py::object& rows, const py::object& keys) {
  const PointsArgument points(X, py::none());
  const Index* label = numbers_argument<Index>(labels, "labels", points.rows());
  const std::uint64_t* key = numbers_argument<std::uint64_t>(keys, "keys", points.rows());
  const py::array some = contiguous_argument<Index>(rows, "rows");
  const auto* begin = static_cast<const Index*>(some.data());
  const std::vector<Index> wanted(begin, begin + some.size());
  DistinctRows found;
  call([&] { found = distinct_rows(points.X(), label, wanted, key); });
  py::array_t<bool> first(static_cast<py::ssize_t>(found.first.size()));
  for (std::size_t i = 0; i < found.first.size(); ++i) first.mutable_data()[i] = found.first[i] != 0;
  return py::make_tuple(array_of(found.order), first);
}

Pair<double, double> scaling(const py::object& X, const py::object& weights) {
  const PointsArgument points(X, py::none());
  const double* weight = weights.is_none() ? nullptr : numbers_argument<double>(weights, "weights", points.rows());
  ColumnScaling found;
  call([&] { found = column_scaling(points.X(), weight); });
  return py::make_tuple(array_of(found.shift), array_of(found.scale));
}

py::array_t<Index> spread(const py::object& X, const py::object& draws) {
  const PointsArgument points(X, py::none());
  const py::array numbers = contiguous_argument<double>(draws, "draws");
  const auto* draw = static_cast<const double*>(numbers.data());
  std::vector<Index> rows;
  call([&] { points.apply<double>([&](const auto& set, const auto&...) { rows = spread_rows(set, numbers.size(), draw); }); });
  return array_of(rows);
}

double windin(const py::object& codes, double noise) {
  const auto Z = matrix_argument<double>(codes, "codes");
  double found = 0.0;
  call([&] { found = weighted_informativeness(Z, noise); });
  return found;
}

}  // namespace

void bind_samples(py::module_& module) {
  module.def("distinct_rows", &distinct, "X"_a, "labels"_a, "rows"_a, "keys"_a,
             "Rows so that equal ones are neighbours, and which of them differ from the one before.");
  module.def("windin", &windin, "codes"_a, "noise"_a, "[WINDIN] of components in columns.");
  module.def("column_scaling", &scaling, "X"_a, "weights"_a, "Means and deviations of columns; 1 where there is no deviation.");
  module.def("spread_rows", &spread, "X"_a, "draws"_a, "As many different rows as draws, by k-means++, ascending.");
}

}  // namespace gramian::python
