// SPDX-License-Identifier: BSD-3-Clause
#include "dependency_spec.hpp"

#include "arrays.hpp"
#include "kernel_spec.hpp"
#include "points.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

py::tuple parts_of(const py::object& object) {
  return py::isinstance<py::tuple>(object) ? py::reinterpret_borrow<py::tuple>(object) : py::tuple();
}

MatrixView<const double> part_of(const std::optional<DependencyArrays::Array>& array, const char* name) {
  return array ? matrix_argument<double>(*array, name) : MatrixView<const double>();
}

}  // namespace

GramSource gram_source_argument(const py::object& object, const char* name) {
  const py::tuple parts = parts_of(object);
  if (parts.size() != 2) return GramSource(matrix_argument<double>(object, name));
  return GramSource(kernel_argument(parts[0]), PointsArgument(parts[1], py::none()).X());
}

CrossSource cross_source_argument(const py::object& object, const char* name) {
  const py::tuple parts = parts_of(object);
  if (parts.size() == 2) return {matrix_argument<double>(parts[0], name), matrix_argument<double>(parts[1], "diagonal")};
  if (parts.size() != 3) return CrossSource(matrix_argument<double>(object, name));
  const PointsArgument points(parts[1], parts[2]);
  return {kernel_argument(parts[0]), points.X(), points.Y()};
}

DependencyArrays::DependencyArrays(const Array& coefficients, const std::optional<Array>& input_factor,
                                   const std::optional<Array>& output_factor, const std::optional<Array>& components,
                                   const std::optional<Array>& mean)
    : coefficients_(coefficients),
      input_factor_(input_factor),
      output_factor_(output_factor),
      components_(components),
      mean_(mean) {
  view_.coefficients = matrix_argument<double>(coefficients_, "coefficients");
  view_.input_factor = part_of(input_factor_, "input_factor");
  view_.output_factor = part_of(output_factor_, "output_factor");
  view_.components = part_of(components_, "components");
  view_.centred = mean_.has_value();  // without components the mean has no coordinate
  if (mean_) view_.mean = numbers_argument<double>(*mean_, "mean", view_.components.cols());
}

}  // namespace gramian::python
