// SPDX-License-Identifier: BSD-3-Clause
// Weights of conditional mean embeddings as distributions.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/conditional_mean/distribution.hpp"
#include "matrices.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

Numbers on_simplex(const py::object& weights) {
  const auto W = matrix_argument<double>(weights, "weights");
  auto out = new_matrix<double>(W.rows(), W.cols(), "the weights", fewer_samples);
  call([&, view = writable_view(out)] {
    for (Index i = 0; i < W.rows(); ++i) {
      for (Index j = 0; j < W.cols(); ++j) view(i, j) = W(i, j);
    }
    conditional_mean::project_on_simplex(view);
  });
  return out;
}

Numbers deviations(const py::object& weights, const py::object& outputs) {
  const auto W = matrix_argument<double>(weights, "weights"), Y = matrix_argument<double>(outputs, "outputs");
  auto out = new_matrix<double>(W.rows(), Y.cols(), "the deviations", fewer_samples);
  call([&, view = writable_view(out)] { conditional_mean::deviations(W, Y, view); });
  return out;
}

Numbers quantiles(const py::object& weights, const py::object& outputs, const std::vector<double>& levels) {
  const auto W = matrix_argument<double>(weights, "weights"), y = matrix_argument<double>(outputs, "outputs");
  auto out = new_matrix<double>(W.rows(), static_cast<Index>(levels.size()), "the quantiles", fewer_samples);
  call([&, view = writable_view(out)] { conditional_mean::quantiles(W, y, levels, view); });
  return out;
}

Numbers distribution_values(const py::object& weights, const py::object& outputs, const py::object& at) {
  const auto W = matrix_argument<double>(weights, "weights"), y = matrix_argument<double>(outputs, "outputs"),
             points = matrix_argument<double>(at, "at");
  auto out = new_matrix<double>(W.rows(), 1, "the values", fewer_samples);
  call([&, view = writable_view(out)] { conditional_mean::distribution_values(W, y, points, view); });
  return out;
}

Numbers densities(const py::object& weights, const py::object& outputs, const py::object& at, double bandwidth) {
  const auto W = matrix_argument<double>(weights, "weights"), y = matrix_argument<double>(outputs, "outputs"),
             points = matrix_argument<double>(at, "at");
  auto out = new_matrix<double>(W.rows(), points.rows(), "the densities", fewer_samples);
  call([&, view = writable_view(out)] { conditional_mean::densities(W, y, points, bandwidth, view); });
  return out;
}

}  // namespace

void bind_conditional_mean_distribution(py::module_& m) {
  m.def("on_simplex", &on_simplex, "weights"_a, "The nearest rows of numbers of at least 0 that add up to 1.");
  m.def("deviations", &deviations, "weights"_a, "outputs"_a, "The standard deviation of each output.");
  m.def("quantiles", &quantiles, "weights"_a, "outputs"_a, "levels"_a, "The smallest outputs whose shares reach the levels.");
  m.def("distribution_values", &distribution_values, "weights"_a, "outputs"_a, "at"_a, "The share of outputs up to a number.");
  m.def("densities", &densities, "weights"_a, "outputs"_a, "at"_a, "bandwidth"_a, "Mixtures of normal densities; 0: Silverman.");
}

}  // namespace gramian::python
