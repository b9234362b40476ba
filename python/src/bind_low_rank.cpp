// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices from some of their rows: factors of low rank, subsets, widths.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/gram/subset.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

/// The factor as an array on the result's own memory, if it fills it; else as a copy, so that nothing is held for nothing.
py::array_t<double> factor_of(std::unique_ptr<IncompleteCholesky> result) {
  const MatrixView<const double> F = result->factor();
  if (F.row_stride() == F.cols()) {
    const py::capsule owner(result.get(), [](void* pointer) { delete static_cast<IncompleteCholesky*>(pointer); });
    result.release();
    return py::array_t<double>({F.rows(), F.cols()}, F.data(), owner);
  }
  auto factor = new_matrix<double>(F.rows(), F.cols(), "the factor", "ask for a lower rank");
  call([&, out = writable_view(factor)] { result->copy_factor(out); });
  return factor;
}

py::tuple low_rank(const py::tuple& kernel_spec, const py::object& X, Index max_rank, double tolerance, int pivoting,
                   std::uint64_t seed) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const auto x = matrix_argument<double>(X, "X");
  const IncompleteCholeskyOptions options{max_rank, tolerance, static_cast<Pivoting>(pivoting), seed};
  auto result = std::make_unique<IncompleteCholesky>();
  call([&] { *result = incomplete_cholesky(kernel, Points(x), options); });
  const py::list pivots = py::cast(result->pivots());
  const double trace = result->trace(), left = result->residual_trace();
  const int reason = static_cast<int>(result->stop_reason());
  return py::make_tuple(factor_of(std::move(result)), pivots, trace, left, reason);
}

py::array_t<double> factorize(const py::object& gram) {
  const auto K = matrix_argument<double>(gram, "K");
  auto result = std::make_unique<IncompleteCholesky>();
  call([&] { *result = gram_factor(K); });
  return factor_of(std::move(result));
}

SubsetMethod subset_method(const std::string& name) {
  if (name == "random") return SubsetMethod::random;
  if (name == "leverage") return SubsetMethod::leverage_score;
  if (name == "renyi") return SubsetMethod::renyi_entropy;
  throw std::invalid_argument("method is \"" + name + "\", it must be \"random\", \"leverage\" or \"renyi\"");
}

/// Rows of points that stand for all of them, ascending.
py::array_t<Index> subset_of(const py::tuple& kernel_spec, const py::object& X, Index count, const std::string& method,
                             std::uint64_t seed) {
  const PointsArgument points(X, py::none());
  SubsetOptions options;
  options.seed = seed;
  const SubsetMethod chosen = subset_method(method);
  const Kernel kernel = kernel_argument(kernel_spec);
  std::vector<Index> rows;
  call([&] { rows = choose_subset(kernel, points.X(), count, chosen, options); });
  return array_of(rows);
}

double width_of(const py::object& X) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  double gamma = 0;
  call([&] { gamma = median_gamma(input); });
  return gamma;
}

}  // namespace

void bind_low_rank(py::module_& module) {
  module.def("incomplete_cholesky", &low_rank, "kernel"_a, "X"_a, "max_rank"_a, "tolerance"_a, "pivoting"_a, "seed"_a,
             "Factor, pivots, trace, what is left of it, and why it stopped.");
  module.def("gram_factor", &factorize, "K"_a, "C with C C^T = K, of as many columns as K has rank.");
  module.def("choose_subset", &subset_of, "kernel"_a, "X"_a, "count"_a, "method"_a, "seed"_a,
             "Rows by method random, leverage or renyi.");
  module.def("median_gamma", &width_of, "X"_a, "1 / the median of squared distances: the gamma of a kernel that nobody chose.");
}

}  // namespace gramian::python
