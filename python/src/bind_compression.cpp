// SPDX-License-Identifier: BSD-3-Clause
// Learned sums over all samples, made small.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "embedding_spec.hpp"
#include "gramian/layers/random_features.hpp"
#include "gramian/models/embedding/compression.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

py::array_t<Index> supports_of(const py::tuple& spec, const py::object& X, const std::vector<Index>& groups, Index count,
                               const py::object& weights) {
  const Kernel kernel = kernel_argument(spec);
  const PointsArgument points(X, py::none());
  const double* counts = weights_argument(weights, points.rows());
  std::vector<Index> rows;
  call([&] { rows = embedding::herd_supports(kernel, points.X(), groups, count, counts); });
  return array_of(rows);
}

Numbers to_supports(const py::tuple& spec, const py::object& X, const py::object& coefficients, double lambda,
                    const std::vector<Index>& rows, const py::object& weights) {
  const PointsArgument points(X, py::none());
  const embedding::SampleSum f{kernel_argument(spec), points.X(), matrix_argument<double>(coefficients, "V"), lambda,
                               weights_argument(weights, points.rows())};
  Matrix W;
  call([&] { W = embedding::compress_to_supports(f, rows); });
  return array_of(std::move(W));
}

Numbers to_features(const py::tuple& spec, const py::object& X, const py::object& coefficients, double lambda, Index count,
                    std::uint64_t seed, const py::object& weights) {
  const PointsArgument points(X, py::none());
  const embedding::SampleSum f{kernel_argument(spec), points.X(), matrix_argument<double>(coefficients, "V"), lambda,
                               weights_argument(weights, points.rows())};
  Matrix W;
  call([&] {
    const auto features = random_fourier_features(f.kernel, f.X.dimension(), count, seed);
    W = embedding::compress_to_features(f, *features, features->start(0).data());
  });
  return array_of(std::move(W));
}

}  // namespace

void bind_compression(py::module_& module) {
  module.def("herd_supports", &supports_of, "kernel"_a, "X"_a, "groups"_a, "count"_a, "weights"_a,
             "Rows that stand for all of each group, ascending.");
  module.def("compress_to_supports", &to_supports, "kernel"_a, "X"_a, "V"_a, "lambda_"_a, "rows"_a, "weights"_a,
             "Coefficients of these rows alone.");
  module.def("compress_to_features", &to_features, "kernel"_a, "X"_a, "V"_a, "lambda_"_a, "count"_a, "seed"_a, "weights"_a,
             "Coefficients of random Fourier features.");
}

}  // namespace gramian::python
