// SPDX-License-Identifier: BSD-3-Clause
// Explicit features with parameters, by themselves.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "feature_spec.hpp"
#include "gramian/base/error.hpp"
#include "matrices.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

constexpr const char* advice = "pass fewer rows at a time";

std::pair<Index, Index> sizes(const py::object& spec, Index inputs) {
  const auto features = feature_map_of(spec, inputs);
  return {features->outputs(), features->parameter_count()};
}

py::array_t<double> start(const py::object& spec, Index inputs, std::uint64_t seed) {
  const auto features = feature_map_of(spec, inputs);
  std::vector<double> theta;
  call([&] { theta = features->start(seed); });
  return array_of(theta);
}

py::array_t<double> forward(const py::object& spec, const py::object& X, const py::object& theta, bool training,
                            std::uint64_t seed, std::uint64_t step) {
  const auto points = matrix_argument<double>(X, "X");
  const auto features = feature_map_of(spec, points.cols());
  const double* parameters = numbers_argument<double>(theta, "theta", features->parameter_count());
  auto Z = new_matrix<double>(points.rows(), features->outputs(), "the features", advice);
  call([&, out = writable_view(Z)] { features->forward(parameters, points, out, {training, seed, step}); });
  return Z;
}

py::array_t<double> reverse(const py::object& spec, const py::object& X, const py::object& Zbar, const py::object& theta,
                            bool training, std::uint64_t seed, std::uint64_t step) {
  const auto points = matrix_argument<double>(X, "X"), bar = matrix_argument<double>(Zbar, "Zbar");
  const auto features = feature_map_of(spec, points.cols());
  const double* parameters = numbers_argument<double>(theta, "theta", features->parameter_count());
  require(bar.rows() == points.rows() && bar.cols() == features->outputs(),
          "Zbar must have shape (" + std::to_string(points.rows()) + ", " + std::to_string(features->outputs()) + "), got (" +
              std::to_string(bar.rows()) + ", " + std::to_string(bar.cols()) + ")");
  auto Z = new_matrix<double>(points.rows(), features->outputs(), "the features", advice);
  std::vector<double> theta_bar(static_cast<std::size_t>(features->parameter_count()));
  call([&, out = writable_view(Z)] {
    features->forward(parameters, points, out, {training, seed, step});
    features->reverse(bar, theta_bar.data());
  });
  return array_of(theta_bar);
}

}  // namespace

void bind_features(py::module_& module) {
  module.def("features_sizes", &sizes, "features"_a, "inputs"_a, "(outputs, number of parameters).");
  module.def("features_start", &start, "features"_a, "inputs"_a, "seed"_a, "Where training starts.");
  module.def("features_forward", &forward, "features"_a, "X"_a, "theta"_a, "training"_a, "seed"_a, "step"_a, "phi(X; theta).");
  module.def("features_reverse", &reverse, "features"_a, "X"_a, "Zbar"_a, "theta"_a, "training"_a, "seed"_a, "step"_a,
             "The gradient of <phi(X; theta), Zbar> in theta.");
}

}  // namespace gramian::python
