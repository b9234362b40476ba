// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of low rank.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/low_rank.hpp"
#include "kernel_spec.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

py::tuple low_rank(const py::tuple& kernel_spec, const py::object& X, Index max_rank, double tolerance, bool greedy,
                   std::uint64_t seed) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const auto x = matrix_argument<double>(X, "X");
  const IncompleteCholeskyOptions options{max_rank, tolerance, greedy ? Pivoting::greedy : Pivoting::random, seed};
  IncompleteCholesky result;
  call([&] { result = incomplete_cholesky(kernel, Points(x), options); });
  auto factor = new_matrix<double>(x.rows(), result.rank(), "the factor", "ask for a lower rank");
  call([&, out = writable_view(factor)] { result.copy_factor(out); });
  return py::make_tuple(factor, result.pivots(), result.trace(), result.residual_trace(), static_cast<int>(result.stop_reason()));
}

}  // namespace

void bind_low_rank(py::module_& module) {
  module.def("incomplete_cholesky", &low_rank, "kernel"_a, "X"_a, "max_rank"_a, "tolerance"_a, "greedy"_a, "seed"_a,
             "Factor, pivots, trace, what is left of it, and why it stopped.");
}

}  // namespace gramian::python
