// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices, their diagonals and their products.
#include <pybind11/pybind11.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/paired.hpp"
#include "gramian/gram/product.hpp"
#include "kernel_spec.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

template <class T>
py::array gram_of(const Kernel& kernel, const PointsArgument& points) {
  auto K = new_matrix<T>(points.rows(), points.cols(), "the Gram matrix", "use gramian.product, which never stores it");
  call([&, out = writable_view(K)] { points.apply<T>([&](const auto&... sets) { full(kernel, sets..., out); }); });
  return K;
}

template <class T>
py::array diagonal_of(const Kernel& kernel, const PointsArgument& points) {
  if (!points.one_set()) throw py::type_error("a diagonal is that of one set of points");
  auto result = new_matrix<T>(points.rows(), 1, "the diagonal", "pass fewer points at a time");
  call([&, out = writable_view(result)] {
    points.apply<T>([&](const auto& first, const auto&...) { diagonal(kernel, first, out); });
  });
  return result;
}

template <class T>
py::array product_of(const Kernel& kernel, const PointsArgument& points, MatrixView<const T> V) {
  auto result = new_matrix<T>(points.rows(), V.cols(), "the product", "pass fewer columns of V at a time");
  call([&, out = writable_view(result)] { points.apply<T>([&](const auto&... sets) { product(kernel, sets..., V, out); }); });
  return result;
}

py::array gram(const py::tuple& kernel_spec, const py::object& X, const py::object& Y) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, Y);
  return points.float64() ? gram_of<double>(kernel, points) : gram_of<float>(kernel, points);
}

py::array gram_diagonal(const py::tuple& kernel_spec, const py::object& X) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, py::none());
  return points.float64() ? diagonal_of<double>(kernel, points) : diagonal_of<float>(kernel, points);
}

py::array gram_product(const py::tuple& kernel_spec, const py::object& X, const py::object& V, const py::object& Y) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, Y);
  if (points.float64()) return product_of(kernel, points, matrix_argument<double>(V, "V"));
  return product_of(kernel, points, matrix_argument<float>(V, "V"));
}

py::array_t<double> gram_paired(const py::tuple& kernel_spec, const py::object& X, const py::object& Y) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, Y);
  auto result = new_matrix<double>(points.rows(), 1, "the values", "pass fewer points at a time");
  call([&, out = writable_view(result)] { paired(kernel, points.X(), points.Y(), out); });
  return result;
}

}  // namespace

void bind_gram(py::module_& module) {
  module.def("gram", &gram, "kernel"_a, "X"_a, "Y"_a = py::none(), "K(X, Y) as a new array; Y is None: K(X, X).");
  module.def("diagonal", &gram_diagonal, "kernel"_a, "X"_a, "The diagonal of K(X, X) as a new column.");
  module.def("paired", &gram_paired, "kernel"_a, "X"_a, "Y"_a, "k(x_i, y_i) as a new column, for float64 points.");
  module.def("product", &gram_product, "kernel"_a, "X"_a, "V"_a, "Y"_a = py::none(),
             "K(X, Y) V as a new array, K never stored; Y is None: K(X, X) V.");
}

}  // namespace gramian::python
