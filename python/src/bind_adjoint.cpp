// SPDX-License-Identifier: BSD-3-Clause
// The reverse of a Gram matrix, and its derivative along directions.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/hessian_vector.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

/// Q is None: P is Kbar itself, dense.
template <class T>
GramGradient<T> gradient_argument(const py::object& P, const py::object& Q, const char* P_name, const char* Q_name) {
  if (Q.is_none()) return GramGradient<T>(matrix_argument<T>(P, "Kbar"));
  return GramGradient<T>(matrix_argument<T>(P, P_name), matrix_argument<T>(Q, Q_name));
}

/// An array that may not be wanted: Python's None, and the engine's empty view.
template <class T>
class Result {
 public:
  Result(bool wanted, Index rows, Index cols) : wanted_(wanted) {
    if (wanted) array_ = new_matrix<T>(rows, cols, "the gradient", "pass fewer points at a time");
  }
  MatrixView<T> view() { return wanted_ ? writable_view(array_) : MatrixView<T>(); }
  std::optional<py::array> array() const { return wanted_ ? std::optional<py::array>(array_) : std::nullopt; }

 private:
  bool wanted_;
  py::array_t<T> array_;
};

struct PointGradients {
  std::optional<py::array> X, Y;
};

struct KernelGradients : PointGradients {
  py::array_t<double> parameters;
};

template <class T>
KernelGradients adjoint_of(const Kernel& kernel, const PointsArgument& points, const GramGradient<T>& Kbar, bool want_points) {
  Result<T> Xbar(want_points, points.rows(), points.dimension());
  Result<T> Ybar(want_points && !points.one_set(), points.cols(), points.dimension());
  std::vector<double> parameters;
  call([&, X_out = Xbar.view(), Y_out = Ybar.view()] {
    parameters =
        points.one_set() ? adjoint(kernel, points.X(), Kbar, X_out) : adjoint(kernel, points.X(), points.Y(), Kbar, X_out, Y_out);
  });
  return {{Xbar.array(), Ybar.array()}, array_of(parameters)};
}

KernelGradients adjoint_of_inner(const Kernel& kernel, const PointsArgument& points, const GramGradient<double>& Kbar,
                                 bool want_points) {
  Result<double> inner_bar(want_points, points.rows(), points.cols());
  std::vector<double> parameters;
  call([&, out = inner_bar.view()] { parameters = adjoint(kernel, points.inner_products(), Kbar, out); });
  return {{inner_bar.array(), std::nullopt}, array_of(parameters)};
}

KernelGradients gram_adjoint(const py::tuple& kernel_spec, const py::object& X, const py::object& P, const py::object& Q,
                             const py::object& Y, bool want_points) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, Y);
  if (points.inner()) {
    if (!points.float64()) throw py::type_error("inner products must have dtype float64 here");
    return adjoint_of_inner(kernel, points, gradient_argument<double>(P, Q, "P", "Q"), want_points);
  }
  if (points.float64()) return adjoint_of(kernel, points, gradient_argument<double>(P, Q, "P", "Q"), want_points);
  return adjoint_of(kernel, points, gradient_argument<float>(P, Q, "P", "Q"), want_points);
}

PointGradients gram_hessian_vector(const py::tuple& kernel_spec, const py::object& X, const py::object& Xdot, const py::object& P,
                                   const py::object& Q, const py::object& P_dot, const py::object& Q_dot, const py::object& Y,
                                   const py::object& Ydot) {
  const Kernel kernel = kernel_argument(kernel_spec);
  const PointsArgument points(X, Y);
  if (points.inner() || points.sparse() || !points.float64()) throw py::type_error("X must be dense, with dtype float64");
  const auto gradient = gradient_argument<double>(P, Q, "P", "Q"),
             gradient_dot = gradient_argument<double>(P_dot, Q_dot, "Pdot", "Qdot");
  const auto X_dot = matrix_argument<double>(Xdot, "Xdot");
  Result<double> X_out(true, points.rows(), points.dimension());
  Result<double> Y_out(!points.one_set(), points.cols(), points.dimension());
  if (points.one_set()) {
    call([&, out = X_out.view()] { hessian_vector(kernel, points.X(), X_dot, gradient, gradient_dot, out); });
  } else {
    const auto Y_dot = matrix_argument<double>(Ydot, "Ydot");
    call([&, to_X = X_out.view(), to_Y = Y_out.view()] {
      hessian_vector(kernel, points.X(), points.Y(), X_dot, Y_dot, gradient, gradient_dot, to_X, to_Y);
    });
  }
  return {X_out.array(), Y_out.array()};
}

}  // namespace

void bind_adjoint(py::module_& module) {
  py::class_<PointGradients>(module, "PointGradients", "Gradients in two sets of points; None for one that is not there.")
      .def_readonly("X", &PointGradients::X)
      .def_readonly("Y", &PointGradients::Y);
  py::class_<KernelGradients, PointGradients>(module, "KernelGradients", "Gradients in the points and in the parameters.")
      .def_readonly("parameters", &KernelGradients::parameters);
  module.def("adjoint", &gram_adjoint, "kernel"_a, "X"_a, "P"_a, "Q"_a, "Y"_a, "want_points"_a,
             "From Kbar = P Q^T, or from Kbar itself in P if Q is None.");
  module.def("hessian_vector", &gram_hessian_vector, "kernel"_a, "X"_a, "Xdot"_a, "P"_a, "Q"_a, "Pdot"_a, "Qdot"_a, "Y"_a,
             "Ydot"_a, "Derivatives of Xbar and Ybar along Xdot, Ydot and Kbar_dot; Kbar is P Q^T, or P if Q is None.");
}

}  // namespace gramian::python
