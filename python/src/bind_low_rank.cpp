// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices from some of their rows: factors of low rank, subsets, widths.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
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
#include "option_fields.hpp"
#include "points.hpp"
#include "python_rows.hpp"

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

struct LowRank {
  py::array_t<double> factor;
  py::array_t<Index> pivots;
  double trace, residual_trace;
  IncompleteStop stop_reason;
};

LowRank low_rank(const py::tuple& kernel_spec, const py::object& X, const IncompleteCholeskyOptions& options) {
  const Kernel kernel = kernel_argument(kernel_spec);
  auto result = std::make_unique<IncompleteCholesky>();
  if (PythonRows::is_one(X)) {
    const PythonRows rows(X);
    call([&] { *result = incomplete_cholesky(kernel, rows, options); });
  } else {
    const auto x = matrix_argument<double>(X, "X");
    call([&] { *result = incomplete_cholesky(kernel, Points(x), options); });
  }
  LowRank found{{}, array_of(result->pivots()), result->trace(), result->residual_trace(), result->stop_reason()};
  found.factor = factor_of(std::move(result));
  return found;
}

py::array_t<double> factorize(const py::object& gram) {
  const auto K = matrix_argument<double>(gram, "K");
  auto result = std::make_unique<IncompleteCholesky>();
  call([&] { *result = gram_factor(K); });
  return factor_of(std::move(result));
}

/// Rows of points that stand for all of them, ascending.
py::array_t<Index> subset_of(const py::tuple& kernel_spec, const py::object& X, Index count, SubsetMethod method,
                             std::uint64_t seed) {
  const PointsArgument points(X, py::none());
  SubsetOptions options;
  options.seed = seed;
  const Kernel kernel = kernel_argument(kernel_spec);
  std::vector<Index> rows;
  call([&] { rows = choose_subset(kernel, points.X(), count, method, options); });
  return array_of(rows);
}

double width_of(const py::object& X, const std::optional<std::vector<double>>& weights) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  double gamma = 0;
  call([&] { gamma = weights ? median_gamma(input, *weights) : median_gamma(input); });
  return gamma;
}

void bind_enums(py::module_& module) {
  py::native_enum<Pivoting>(module, "Pivoting", "enum.Enum")
      .value("random", Pivoting::random)
      .value("greedy", Pivoting::greedy)
      .value("gain", Pivoting::gain)
      .finalize();
  py::native_enum<IncompleteStop>(module, "IncompleteStop", "enum.Enum")
      .value("tolerance", IncompleteStop::tolerance)
      .value("rank", IncompleteStop::rank)
      .value("exhausted", IncompleteStop::exhausted)
      .finalize();
  py::native_enum<SubsetMethod>(module, "SubsetMethod", "enum.Enum")
      .value("random", SubsetMethod::random)
      .value("leverage", SubsetMethod::leverage_score)
      .value("renyi", SubsetMethod::renyi_entropy)
      .finalize();
}

}  // namespace

void bind_low_rank(py::module_& module) {
  bind_enums(module);
  bind_options<IncompleteCholeskyOptions>(module, "IncompleteCholeskyOptions", "the incomplete Cholesky factorization");
  py::class_<LowRank>(module, "LowRank", "K = F F^T up to the residual trace, and why the columns of F ended.")
      .def_readonly("factor", &LowRank::factor)
      .def_readonly("pivots", &LowRank::pivots)
      .def_readonly("trace", &LowRank::trace)
      .def_readonly("residual_trace", &LowRank::residual_trace)
      .def_readonly("stop_reason", &LowRank::stop_reason);
  module.def("incomplete_cholesky", &low_rank, "kernel"_a, "X"_a, "options"_a, "A factor of K(X, X) of low rank.");
  module.def("gram_factor", &factorize, "K"_a, "C with C C^T = K, of as many columns as K has rank.");
  module.def("choose_subset", &subset_of, "kernel"_a, "X"_a, "count"_a, "method"_a, "seed"_a,
             "Rows that stand for all, ascending.");
  module.def("median_gamma", &width_of, "X"_a, "weights"_a = py::none(),
             "1 / the median of squared distances: the gamma of a kernel that nobody chose.");
}

}  // namespace gramian::python
