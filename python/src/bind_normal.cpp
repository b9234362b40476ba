// SPDX-License-Identifier: BSD-3-Clause
// Products with Kᵀ K of a Gram matrix with many rows, and normal systems.
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/normal.hpp"
#include "kernel_spec.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"
#include "python_rows.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Pair = py::typing::Tuple<py::array_t<double>, py::array_t<double>>;

/// f(X, C) for points in memory, or for a source of rows and points.
template <class F>
void with_rows(const py::object& X, const py::object& C, const F& f) {
  if (PythonRows::is_one(X)) {
    const PythonRows rows(X);
    const PointsArgument centres(C, py::none());
    return call([&] { f(rows, centres.X()); });
  }
  const PointsArgument points(X, C);
  call([&] { f(points.X(), points.Y()); });
}

Index centres_of(const py::object& C) { return PointsArgument(C, py::none()).rows(); }

py::array_t<double> product(const py::tuple& kernel_spec, const py::object& X, const py::object& C, const py::object& V,
                            const py::object& weights, const py::object& Y) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const auto v = matrix_argument<double>(V, "V"), w = matrix_or_none(weights, "weights"), y = matrix_or_none(Y, "Y");
  auto result = new_matrix<double>(centres_of(C), v.cols(), "the product", "pass fewer columns of V at a time");
  const auto out = writable_view(result);
  with_rows(X, C, [&](const auto& rows, const Points& centres) { normal_product(kernel, rows, centres, v, w, y, out); });
  return result;
}

Pair system(const py::tuple& kernel_spec, const py::object& X, const py::object& C, const py::object& Y,
            const py::object& weights) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const auto w = matrix_or_none(weights, "weights"), y = matrix_or_none(Y, "Y");
  const Index m = centres_of(C);
  auto square = new_matrix<double>(m, m, "the normal system", "use fewer centres C, or gramian.normal_product");
  auto right = new_matrix<double>(m, y.cols(), "the right sides", "pass fewer columns of Y at a time");
  const auto square_view = writable_view(square), right_view = writable_view(right);
  with_rows(X, C, [&](const auto& rows, const Points& centres) {
    normal_system(kernel, rows, centres, w, y, square_view, right_view);
  });
  return py::make_tuple(square, right);
}

}  // namespace

void bind_normal(py::module_& module) {
  module.def("normal_product", &product, "kernel"_a, "X"_a, "C"_a, "V"_a, "weights"_a = py::none(), "Y"_a = py::none(),
             "K^T W (K V - Y) as a new array for K = K(X, C), which is never stored.");
  module.def("normal_system", &system, "kernel"_a, "X"_a, "C"_a, "Y"_a = py::none(), "weights"_a = py::none(),
             "K^T W K and K^T W Y as new arrays for K = K(X, C), which is never stored.");
}

}  // namespace gramian::python
