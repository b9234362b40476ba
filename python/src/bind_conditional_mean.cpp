// SPDX-License-Identifier: BSD-3-Clause
// Conditional mean embeddings: the factor, what follows from it for outputs, and cross-validation.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "optional_matrix.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;
using Rows = std::vector<Index>;

conditional_mean::Model fit(const py::object& inputs, const conditional_mean::Options& options) {
  const GramSource X = gram_source_argument(inputs, "X");
  std::optional<conditional_mean::Model> mean;
  call([&] { mean.emplace(X, options); });
  return std::move(*mean);
}

/// On the memory of the fit, which lives as long.
Numbers factor_in(const py::object& fit) {
  const auto factor = fit.cast<const conditional_mean::Model&>().factor();
  return Numbers({factor.rows(), factor.cols()}, factor.data(), fit);
}

Numbers coefficients_of(const py::object& factor, const py::object& values) {
  const conditional_mean::Model mean(matrix_argument<double>(factor, "factor"));
  const auto G = matrix_argument<double>(values, "G");
  auto coefficients = new_matrix<double>(G.rows(), G.cols(), "the coefficients", "pass fewer functions at a time");
  call([&, out = writable_view(coefficients)] { mean.coefficients(G, out); });
  return coefficients;
}

Numbers losses_of(const py::object& inputs, const py::object& outputs, const std::vector<std::pair<Rows, Rows>>& splits,
                  const conditional_mean::Grid& grid) {
  const auto K = matrix_argument<double>(inputs, "K"), L = matrix_argument<double>(outputs, "L");
  std::vector<conditional_mean::ValidationSplit> all;
  for (const auto& [training, held_out] : splits) all.push_back({training, held_out});
  auto losses =
      new_matrix<double>(static_cast<Index>(all.size()), static_cast<Index>(grid.lambdas.size()), "the losses", fewer_samples);
  call([&, out = writable_view(losses)] { conditional_mean::cross_validation_losses(K, L, all, grid, out); });
  return losses;
}

Numbers losses_of_each(const py::object& inputs, const py::object& outputs, const py::object& given,
                       const conditional_mean::Grid& grid) {
  const auto K = matrix_argument<double>(inputs, "K"), L = matrix_argument<double>(outputs, "L");
  const auto weights = matrix_or_none(given, "weights");
  auto losses = new_matrix<double>(1, static_cast<Index>(grid.lambdas.size()), "the losses", fewer_samples);
  call([&, out = writable_view(losses)] { conditional_mean::leave_one_out_losses(K, L, weights, grid, out); });
  return losses;
}

}  // namespace

void bind_conditional_mean(py::module_& module) {
  bind_options<conditional_mean::Options>(module, "Options", "the embedding");
  bind_options<conditional_mean::Grid>(module, "Grid", "the grid");
  py::class_<conditional_mean::Model>(module, "Fit", "The Cholesky factor of K + n lambda I.")
      .def_property_readonly("factor", &factor_in)
      .def_property_readonly("jitter", &conditional_mean::Model::jitter);
  module.def("fit", &fit, "X"_a, "options"_a, "An embedding. X is (kernel, points) or a Gram matrix.");
  module.def("coefficients", &coefficients_of, "factor"_a, "G"_a, "(K + n lambda I)^-1 G.");
  module.def("cross_validation_losses", &losses_of, "K"_a, "L"_a, "splits"_a, "grid"_a,
             "Losses of pairs of training and held-out rows, a row a split.");
  module.def("leave_one_out_losses", &losses_of_each, "K"_a, "L"_a, "weights"_a, "grid"_a,
             "The same of samples that are left out one at a time, in one row.");
}

}  // namespace gramian::python
