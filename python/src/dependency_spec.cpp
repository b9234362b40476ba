// SPDX-License-Identifier: BSD-3-Clause
#include "dependency_spec.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "arrays.hpp"
#include "gramian/base/error.hpp"
#include "kernel_spec.hpp"
#include "points.hpp"
#include "settings.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

py::tuple parts_of(const py::object& object) {
  return py::isinstance<py::tuple>(object) ? py::reinterpret_borrow<py::tuple>(object) : py::tuple();
}

void read_factor(Settings& settings, const std::string& side, IncompleteCholeskyOptions& options) {
  settings.read((side + "_rank").c_str(), options.max_rank);
  settings.read((side + "_tolerance").c_str(), options.tolerance);
  settings.read((side + "_seed").c_str(), options.seed);
  settings.read((side + "_pivoting").c_str(), options.pivoting,
                {{"random", Pivoting::random}, {"greedy", Pivoting::greedy}, {"gain", Pivoting::gain}});
}

py::object entry(const py::dict& parts, const char* name) {
  return parts.contains(name) ? py::object(parts[name]) : py::object(py::none());
}

Matrix matrix_entry(const py::dict& parts, const char* name) {
  const py::object found = entry(parts, name);
  return found.is_none() ? Matrix() : Matrix::copy_of(matrix_argument<double>(found, name));
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

DependencyOptions dependency_options_argument(const py::dict& dict) {
  Settings settings(dict);
  DependencyOptions options;
  settings.read("operator", options.output_operator,
                {{"identity", DependencyOperator::identity},
                 {"covariance", DependencyOperator::covariance},
                 {"conditional", DependencyOperator::conditional}});
  settings.read("lambda", options.lambda);
  settings.read("epsilon", options.epsilon);
  settings.read("lambdas", options.lambdas);
  settings.read("components", options.components);
  settings.read("centred", options.centred);
  bool ranks = false;
  settings.read("ranks", ranks);
  if (ranks) {
    options.ranks.emplace();
    read_factor(settings, "input", options.ranks->inputs);
    read_factor(settings, "output", options.ranks->outputs);
  }
  settings.finish();
  return options;
}

DependencyModel dependency_model_argument(const py::dict& parts) {
  DependencyModel model;
  model.coefficients = matrix_entry(parts, "coefficients");
  model.input_factor = matrix_entry(parts, "input_factor");
  model.output_factor = matrix_entry(parts, "output_factor");
  model.components = matrix_entry(parts, "components");
  model.centred = !entry(parts, "mean").is_none();  // without components the mean has no coordinate
  if (model.centred) model.mean = parts["mean"].cast<std::vector<double>>();
  return model;
}

}  // namespace gramian::python
