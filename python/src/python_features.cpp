// SPDX-License-Identifier: BSD-3-Clause
#include "python_features.hpp"

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

Index count_of(py::handle object, const char* name, Index least) {
  const py::object value = py::getattr(object, name, py::none());
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!whole) {
    PyErr_Clear();
    throw py::type_error("a feature map needs " + std::string(name) + ", a whole number; got " +
                         py::repr(object).cast<std::string>());
  }
  const auto count = whole.cast<Index>();
  if (count < least) {
    throw py::value_error(std::string(name) + " of a feature map must be at least " + std::to_string(least) + ", got " +
                          std::to_string(count));
  }
  return count;
}

py::array_t<double> copy_of(MatrixView<const double> source, const char* what) {
  auto array = new_matrix<double>(source.rows(), source.cols(), what, "pass fewer rows at a time");
  const auto out = writable_view(array);
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = source(i, j);
  }
  return array;
}

}  // namespace

PythonFeatures::PythonFeatures(py::object object)
    : object_(std::move(object)),
      inputs_(count_of(object_, "inputs", 1)),
      outputs_(count_of(object_, "outputs", 1)),
      parameter_count_(count_of(object_, "parameter_count", 0)) {
  for (const char* name : {"start", "forward", "reverse"}) {
    if (PyCallable_Check(py::object(py::getattr(object_, name, py::none())).ptr()) != 0) continue;
    throw py::type_error("a feature map needs a method " + std::string(name) + "; got " + py::repr(object_).cast<std::string>());
  }
}

PythonFeatures::~PythonFeatures() {
  const py::gil_scoped_acquire gil;
  object_ = py::object();
}

std::vector<double> PythonFeatures::start(std::uint64_t seed) const {
  const py::gil_scoped_acquire gil;
  const auto theta = array_of(object_.attr("start")(seed), "what start returns", {parameter_count_});
  return {theta.data(), theta.data() + parameter_count_};
}

void PythonFeatures::forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass& pass) {
  const py::gil_scoped_acquire gil;
  const py::object result =
      object_.attr("forward")(py::array_t<double>(parameter_count_, theta), copy_of(X, "a copy of X for the feature map"),
                              "training"_a = pass.training, "seed"_a = pass.seed, "step"_a = pass.step);
  const auto features = array_of(result, "what forward returns", {X.rows(), outputs_});
  const double* from = features.data();
  for (Index i = 0; i < Z.rows(); ++i) {
    for (Index j = 0; j < Z.cols(); ++j) Z(i, j) = *from++;
  }
}

void PythonFeatures::reverse(MatrixView<const double> Zbar, double* theta_bar) {
  const py::gil_scoped_acquire gil;
  const py::object result = object_.attr("reverse")(copy_of(Zbar, "a copy of the gradient for the feature map"));
  const auto gradient = array_of(result, "what reverse returns", {parameter_count_});
  std::copy_n(gradient.data(), parameter_count_, theta_bar);
}

}  // namespace gramian::python
