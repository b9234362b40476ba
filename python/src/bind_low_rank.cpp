// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of low rank.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/low_rank.hpp"
#include "kernel_spec.hpp"

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

}  // namespace

void bind_low_rank(py::module_& module) {
  module.def("incomplete_cholesky", &low_rank, "kernel"_a, "X"_a, "max_rank"_a, "tolerance"_a, "pivoting"_a, "seed"_a,
             "Factor, pivots, trace, what is left of it, and why it stopped.");
}

}  // namespace gramian::python
