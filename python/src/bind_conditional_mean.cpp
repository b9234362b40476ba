// SPDX-License-Identifier: BSD-3-Clause
// Conditional mean embeddings: the factor, what follows from it, and what follows from weights.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "gramian/gram/herding.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;
using Rows = std::vector<Index>;

constexpr const char* advice = "pass fewer samples at a time";

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

Numbers weights_of(const py::object& factor, const py::object& inputs) {
  const conditional_mean::Model mean(matrix_argument<double>(factor, "factor"));
  const CrossSource X = cross_source_argument(inputs, "X");
  auto weights = new_matrix<double>(X.rows(), mean.size(), "the weights", advice);
  call([&, out = writable_view(weights)] { mean.weights(X, out); });
  return weights;
}

Numbers coefficients_of(const py::object& factor, const py::object& values) {
  const conditional_mean::Model mean(matrix_argument<double>(factor, "factor"));
  const auto G = matrix_argument<double>(values, "G");
  auto coefficients = new_matrix<double>(G.rows(), G.cols(), "the coefficients", "pass fewer functions at a time");
  call([&, out = writable_view(coefficients)] { mean.coefficients(G, out); });
  return coefficients;
}

Numbers expectation_of(const py::object& factor, const py::object& inputs, const py::object& values) {
  const conditional_mean::Model mean(matrix_argument<double>(factor, "factor"));
  const CrossSource X = cross_source_argument(inputs, "X");
  const auto G = matrix_argument<double>(values, "G");
  auto expectation = new_matrix<double>(X.rows(), G.cols(), "the expectations", advice);
  call([&, out = writable_view(expectation)] { mean.expectation(X, G, out); });
  return expectation;
}

Numbers values_of(const py::object& weights, const py::object& outputs) {
  const auto W = matrix_argument<double>(weights, "weights");
  const CrossSource Y = cross_source_argument(outputs, "Y");
  auto values = new_matrix<double>(W.rows(), Y.rows(), "the values", advice);
  call([&, out = writable_view(values)] { conditional_mean::values(W, Y, out); });
  return values;
}

Numbers distances_of(const py::object& a, const py::object& b, const py::object& outputs) {
  const auto left = matrix_argument<double>(a, "a"), right = matrix_argument<double>(b, "b");
  const GramSource Y = gram_source_argument(outputs, "Y");
  auto distances = new_matrix<double>(left.rows(), 1, "the distances", advice);
  call([&, out = writable_view(distances)] { conditional_mean::distances(left, right, Y, out); });
  return distances;
}

py::array_t<Index> herded(const py::object& candidates, const py::object& means, Index count) {
  const GramSource Y = gram_source_argument(candidates, "candidates");
  const auto mu = matrix_argument<double>(means, "means");
  Rows chosen;
  call([&] { chosen = herd(Y, mu, count); });
  return array_of(chosen).reshape({mu.rows(), count});
}

Numbers losses_of(const py::object& inputs, const py::object& outputs, const std::vector<std::pair<Rows, Rows>>& splits,
                  const conditional_mean::Grid& grid) {
  const auto K = matrix_argument<double>(inputs, "K"), L = matrix_argument<double>(outputs, "L");
  std::vector<conditional_mean::ValidationSplit> all;
  for (const auto& [training, held_out] : splits) all.push_back({training, held_out});
  auto losses = new_matrix<double>(static_cast<Index>(all.size()), static_cast<Index>(grid.lambdas.size()), "the losses", advice);
  call([&, out = writable_view(losses)] { conditional_mean::cross_validation_losses(K, L, all, grid, out); });
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
  module.def("weights", &weights_of, "factor"_a, "X"_a, "Weights of the training samples, q x n.");
  module.def("coefficients", &coefficients_of, "factor"_a, "G"_a, "(K + n lambda I)^-1 G.");
  module.def("expectation", &expectation_of, "factor"_a, "X"_a, "G"_a,
             "Expectations of functions with values G at the training outputs, q x r.");
  module.def("values", &values_of, "weights"_a, "Y"_a, "Embeddings at outputs, q x c.");
  module.def("distances", &distances_of, "a"_a, "b"_a, "Y"_a,
             "Squared distances between embeddings with weights a and b, row by row, as one column.");
  module.def("herd", &herded, "candidates"_a, "means"_a, "count"_a, "Rows of candidates, q x count.");
  module.def("cross_validation_losses", &losses_of, "K"_a, "L"_a, "splits"_a, "grid"_a,
             "Losses of pairs of training and held-out rows, a row a split.");
}

}  // namespace gramian::python
