// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels, and what is computed with them.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/ovk/operator_ridge.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "matrices.hpp"
#include "observer.hpp"
#include "operator_argument.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

Operator separable(const py::object& kernel, const py::object& A) {
  return {separable_kernel(kernel_argument(kernel), operator_argument(A))};
}

Operator diagonal(const py::object& kernel, double weight, Index q) {
  return {diagonal_regularization(kernel_argument(kernel), weight, q)};
}

Operator sum(const std::vector<std::pair<double, Operator>>& terms) {
  std::vector<std::pair<double, OperatorKernelPointer>> all;
  for (const auto& [factor, term] : terms) all.emplace_back(factor, term.kernel);
  return {sum_kernel(std::move(all))};
}

Numbers block_of(const Operator& K, const py::object& X, Index i, const py::object& Y, Index j) {
  const PointsArgument points(X, Y);
  const Index q = K.kernel->outputs();
  auto block = new_matrix<double>(q, q, "the block", "use the action of the kernel");
  call([&, out = writable_view(block)] { K.kernel->block(points.X(), i, points.Y(), j, out); });
  return block;
}

Numbers matrix_of(const Operator& K, const py::object& X, const py::object& Y) {
  const PointsArgument points(X, Y);
  const Index q = K.kernel->outputs();
  auto matrix = new_matrix<double>(checked_product(points.rows(), q), checked_product(points.cols(), q), "the block matrix",
                                   "use the action of the kernel");
  call([&, out = writable_view(matrix)] { K.kernel->matrix(points.X(), points.Y(), out); });
  return matrix;
}

Numbers apply(const Operator& K, const py::object& X, const py::object& Y, const py::object& vectors) {
  const PointsArgument points(X, Y);
  const auto V = matrix_argument<double>(vectors, "V");
  auto result = new_matrix<double>(points.rows(), K.kernel->outputs(), "the result", fewer_samples);
  call([&, out = writable_view(result)] { K.kernel->apply(points.X(), points.Y(), V, out); });
  return result;
}

Numbers joint(const Operator& K, const py::object& X, const py::object& left, const py::object& Y, const py::object& right) {
  const PointsArgument points(X, Y);
  const auto F = matrix_argument<double>(left, "F"), G = matrix_argument<double>(right, "G");
  auto gram = new_matrix<double>(points.rows(), points.cols(), "the Gram matrix", fewer_samples);
  call([&, out = writable_view(gram)] { joint_gram(*K.kernel, points.X(), F, points.Y(), G, out); });
  return gram;
}

OperatorRidge ridge(const Operator& K, const py::object& X, const py::object& targets, const OperatorRidgeOptions& options,
                    const py::object& callback, const py::object& start) {
  const PointsArgument points(X, py::none());
  const auto Y = matrix_argument<double>(targets, "targets"), begin = matrix_argument<double>(start, "start");
  CallbackObserver observer(callback);
  OperatorRidge result;
  observer.call([&] { result = operator_ridge(*K.kernel, points.X(), Y, options, observer.if_wanted(), begin); });
  return result;
}

/// V A for the covariance operator of features F, or for the conditional one.
Numbers covariance(const py::object& features, const py::object& gram, double epsilon, const py::object& vectors) {
  const auto F = matrix_argument<double>(features, "F"), V = matrix_argument<double>(vectors, "V");
  const bool conditional = !gram.is_none();
  const auto k = conditional ? matrix_argument<double>(gram, "k") : MatrixView<const double>();
  auto result = new_matrix<double>(V.rows(), V.cols(), "the covariance", "use an output kernel");
  call([&, out = writable_view(result)] {
    (conditional ? conditional_covariance_operator(F, k, epsilon) : covariance_operator(F)).apply(V, out);
  });
  return result;
}

Numbers span(const py::object& gram) {
  const auto L = matrix_argument<double>(gram, "L");
  Matrix R;
  call([&] { R = span_coordinates(L); });
  return array_of(std::move(R));
}

}  // namespace

void bind_operator(py::module_& module) {
  py::class_<Operator>(module, "Kernel", "An operator-valued kernel.")
      .def_static("separable", &separable, "kernel"_a, "A"_a, "k(x, y) A: the size of an identity, a row, or a matrix.")
      .def_static(
          "pointwise", [](Index q) { return Operator{pointwise_kernel(q)}; }, "q"_a, "diag(x y).")
      .def_static("diagonal", &diagonal, "kernel"_a, "weight"_a, "q"_a, "(1 - weight) k(x, y) I + weight diag(x y).")
      .def_static("sum", &sum, "terms"_a, "Of factors and kernels.")
      .def("block", &block_of, "X"_a, "i"_a, "Y"_a, "j"_a, "K(x_i, y_j), q x q.")
      .def("matrix", &matrix_of, "X"_a, "Y"_a, "All blocks in one matrix, n q x m q.")
      .def("apply", &apply, "X"_a, "Y"_a, "V"_a, "sum_j K(x_i, y_j) v_j in row i.")
      .def("joint_gram", &joint, "X"_a, "F"_a, "Y"_a, "G"_a, "<K(x_i, y_j) g_j, f_i>, n x m.")
      .def("ridge", &ridge, "X"_a, "targets"_a, "options"_a, "callback"_a, "start"_a, "(K + lambda I) Psi = targets.");
  module.def("covariance", &covariance, "F"_a, "k"_a, "epsilon"_a, "V"_a,
             "V times the covariance of features F; with k, the Gram matrix of inputs, times the conditional one.");
  module.def("span_coordinates", &span, "L"_a, "R with R R^T = L, of as many columns as L has rank.");
}

}  // namespace gramian::python
