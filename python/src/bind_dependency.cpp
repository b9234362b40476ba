// SPDX-License-Identifier: BSD-3-Clause
// Structured outputs: options and fits.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "gramian/models/dependency.hpp"
#include "gramian/ovk/low_rank_sums.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "points.hpp"
#include "results.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

dependency::Fit fit(const py::object& inputs, const py::object& outputs, const dependency::Options& options) {
  const GramSource X = gram_source_argument(inputs, "X"), Y = gram_source_argument(outputs, "Y");
  dependency::Fit result;
  call([&] { result = dependency::fit(X, Y, options); });
  return result;
}

py::array_t<double> coefficients_of_sums(const py::object& inputs, const py::object& between, const py::object& outputs,
                                         double weight, const dependency::Options& options) {
  const LowRankSums sums{Matrix::copy_of(matrix_argument<double>(inputs, "inputs")),
                         Matrix::copy_of(matrix_argument<double>(between, "between")),
                         Matrix::copy_of(matrix_argument<double>(outputs, "outputs")), weight};
  Matrix found;
  call([&] { found = low_rank_coefficients(sums, options.output_operator, options.lambda); });
  return array_of(std::move(found));
}

void bind_all_options(py::module_& module) {
  py::class_<IdentityOperator>(module, "Identity", "The identity.").def(py::init<>());
  py::class_<CovarianceOperator>(module, "Covariance", "C_YY.").def(py::init<>());
  bind_options<ConditionalOperator>(module, "Conditional", "C_YY|X");
  bind_options<dependency::Ranks>(module, "Ranks", "the ranks of both factors");
  bind_options<dependency::Options>(module, "Options", "a dependency estimation");
}

void bind_fit(py::module_& module) {
  py::class_<dependency::Fit> type(module, "Fit", "All that a fit gives.");
  const auto or_none = [&](const char* name, Matrix dependency::Model::* part) {
    type.def_property_readonly(
        name, [part](const py::object& self) { return array_or_none(self.cast<const dependency::Fit&>().model.*part, self); });
  };
  add_array(type, "coefficients", [](const dependency::Fit& fit) -> const Matrix& { return fit.model.coefficients; });
  or_none("input_factor", &dependency::Model::input_factor);
  or_none("output_factor", &dependency::Model::output_factor);
  or_none("components", &dependency::Model::components);
  type.def_property_readonly("mean", [](const dependency::Fit& fit) {
    return fit.model.centred ? std::optional(array_of(fit.model.mean)) : std::nullopt;
  });
  add_array(type, "input_supports", [](const dependency::Fit& fit) -> const auto& { return fit.model.input_supports; });
  add_array(type, "output_supports", [](const dependency::Fit& fit) -> const auto& { return fit.model.output_supports; });
  add_array(type, "criteria", [](const dependency::Fit& fit) -> const auto& { return fit.criteria; });
  type.def_readonly("lambda_", &dependency::Fit::lambda)
      .def_readonly("input_residual", &dependency::Fit::input_residual)
      .def_readonly("output_residual", &dependency::Fit::output_residual);
  module.def("coefficients_of_sums", &coefficients_of_sums, "inputs"_a, "between"_a, "outputs"_a, "weight"_a, "options"_a,
             "What stands between the factors of low rank, from sums over their rows.");
  module.def("fit", &fit, "X"_a, "Y"_a, "options"_a, "X and Y are (kernel, points) or Gram matrices.");
}

}  // namespace

void bind_dependency(py::module_& module) {
  bind_all_options(module);
  bind_fit(module);
}

}  // namespace gramian::python
