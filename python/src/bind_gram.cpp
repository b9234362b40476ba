// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices and their products. A kernel comes as its registry name and parameters, so that no C++ object lives in Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Parameters = std::vector<double>;

std::optional<Points> optional_points(const py::object& object, const char* name) {
  if (object.is_none()) return std::nullopt;
  return points_argument(object, name);
}

template <class T>
py::array gram_of(const Kernel& kernel, const Points& X, const std::optional<Points>& Y) {
  auto K = new_matrix<T>(X.size(), Y ? Y->size() : X.size(), "the Gram matrix", "use gramian.product, which never stores it");
  call([&, out = writable_view(K)] { Y ? full(kernel, X, *Y, out) : full(kernel, X, out); });
  return K;
}

template <class T>
py::array product_of(const Kernel& kernel, const Points& X, MatrixView<const T> V, const std::optional<Points>& Y) {
  auto result = new_matrix<T>(X.size(), V.cols(), "the product", "pass fewer columns of V at a time");
  call([&, out = writable_view(result)] { Y ? product(kernel, X, *Y, V, out) : product(kernel, X, V, out); });
  return result;
}

py::array gram(const std::string& name, const Parameters& parameters, const py::object& X, const py::object& Y) {
  const Kernel kernel(name, parameters);
  const Points x = points_argument(X, "X");
  const std::optional<Points> y = optional_points(Y, "Y");
  return x.scalar() == Scalar::float64 ? gram_of<double>(kernel, x, y) : gram_of<float>(kernel, x, y);
}

py::array product_with(const std::string& name, const Parameters& parameters, const py::object& X, const py::object& V,
                       const py::object& Y) {
  const Kernel kernel(name, parameters);
  const Points x = points_argument(X, "X");
  const std::optional<Points> y = optional_points(Y, "Y");
  if (x.scalar() == Scalar::float64) return product_of(kernel, x, matrix_argument<double>(V, "V"), y);
  return product_of(kernel, x, matrix_argument<float>(V, "V"), y);
}

}  // namespace

void bind_gram(py::module_& module) {
  module.def("gram", &gram, "name"_a, "parameters"_a, "X"_a, "Y"_a = py::none(), "K(X, Y) as a new array; Y is None: K(X, X).");
  module.def("product", &product_with, "name"_a, "parameters"_a, "X"_a, "V"_a, "Y"_a = py::none(),
             "K(X, Y) V as a new array, K never stored; Y is None: K(X, X) V.");
}

}  // namespace gramian::python
