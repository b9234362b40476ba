// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels, and ridge regression with any of them.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <string>
#include <utility>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/ovk/operator_ridge.hpp"
#include "layer_spec.hpp"
#include "matrices.hpp"
#include "operator_spec.hpp"
#include "points.hpp"
#include "settings.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;
using Facts = py::typing::Dict<py::str, py::object>;

constexpr const char* advice = "pass fewer samples at a time";

Numbers block_of(const py::tuple& spec, const py::object& X, Index i, const py::object& Y, Index j) {
  const OperatorKernelPointer K = operator_kernel_argument(spec);
  const PointsArgument points(X, Y);
  auto block = new_matrix<double>(K->outputs(), K->outputs(), "the block", "use the action of the kernel");
  call([&, out = writable_view(block)] { K->block(points.X(), i, points.Y(), j, out); });
  return block;
}

Numbers matrix_of(const py::tuple& spec, const py::object& X, const py::object& Y) {
  const OperatorKernelPointer K = operator_kernel_argument(spec);
  const PointsArgument points(X, Y);
  const Index q = K->outputs();
  auto matrix = new_matrix<double>(checked_product(points.rows(), q), checked_product(points.cols(), q), "the block matrix",
                                   "use the action of the kernel");
  call([&, out = writable_view(matrix)] { K->matrix(points.X(), points.Y(), out); });
  return matrix;
}

Numbers apply(const py::tuple& spec, const py::object& X, const py::object& Y, const py::object& vectors) {
  const OperatorKernelPointer K = operator_kernel_argument(spec);
  const PointsArgument points(X, Y);
  const auto V = matrix_argument<double>(vectors, "V");
  auto result = new_matrix<double>(points.rows(), K->outputs(), "the result", advice);
  call([&, out = writable_view(result)] { K->apply(points.X(), points.Y(), V, out); });
  return result;
}

Numbers joint(const py::tuple& spec, const py::object& X, const py::object& left, const py::object& Y, const py::object& right) {
  const OperatorKernelPointer K = operator_kernel_argument(spec);
  const PointsArgument points(X, Y);
  const auto F = matrix_argument<double>(left, "F"), G = matrix_argument<double>(right, "G");
  auto gram = new_matrix<double>(points.rows(), points.cols(), "the Gram matrix", advice);
  call([&, out = writable_view(gram)] { joint_gram(*K, points.X(), F, points.Y(), G, out); });
  return gram;
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

OperatorRidgeOptions options_of(const py::dict& dict) {
  Settings settings(dict, "ridge");
  OperatorRidgeOptions options;
  settings.read("lambda", options.lambda);
  settings.read(
      "solver", options.solver,
      {{"auto", OperatorSolver::automatic}, {"cholesky", OperatorSolver::cholesky}, {"cg", OperatorSolver::conjugate_gradients}});
  settings.read("tolerance", options.tolerance);
  settings.read("max_iterations", options.max_iterations);
  settings.finish();
  return options;
}

Facts ridge(const py::tuple& spec, const py::object& X, const py::object& targets, const py::dict& settings) {
  const OperatorKernelPointer K = operator_kernel_argument(spec);
  const PointsArgument points(X, py::none());
  const auto Y = matrix_argument<double>(targets, "targets");
  const OperatorRidgeOptions options = options_of(settings);
  OperatorRidge result;
  call([&] { result = operator_ridge(*K, points.X(), Y, options); });
  return Facts("coefficients"_a = array_of(std::move(result.coefficients)),
               "solver"_a = result.solver == OperatorSolver::cholesky ? "cholesky" : "cg", "iterations"_a = result.iterations,
               "residual"_a = result.residual, "converged"_a = result.converged);
}

}  // namespace

void bind_operator(py::module_& module) {
  module.def("block", &block_of, "operator"_a, "X"_a, "i"_a, "Y"_a, "j"_a, "K(x_i, y_j), q x q.");
  module.def("matrix", &matrix_of, "operator"_a, "X"_a, "Y"_a, "All blocks in one matrix, n q x m q.");
  module.def("apply", &apply, "operator"_a, "X"_a, "Y"_a, "V"_a, "sum_j K(x_i, y_j) v_j in row i.");
  module.def("joint_gram", &joint, "operator"_a, "X"_a, "F"_a, "Y"_a, "G"_a, "<K(x_i, y_j) g_j, f_i>, n x m.");
  module.def("covariance", &covariance, "F"_a, "k"_a, "epsilon"_a, "V"_a,
             "V times the covariance of features F; with k, the Gram matrix of inputs, times the conditional one.");
  module.def("span_coordinates", &span, "L"_a, "R with R R^T = L, of as many columns as L has rank.");
  module.def("ridge", &ridge, "operator"_a, "X"_a, "targets"_a, "options"_a,
             "Coefficients of (K + lambda I) Psi = targets, the solver, its iterations and residual, whether it converged.");
}

}  // namespace gramian::python
