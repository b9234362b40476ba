// SPDX-License-Identifier: BSD-3-Clause
// A last layer in closed form, for those who put models together themselves.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <mutex>
#include <utility>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "layer_spec.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

class BoundRidgeOutput {
 public:
  BoundRidgeOutput(const py::tuple& layer, py::object targets, Index code_size)
      : targets_(std::move(targets)), engine_(layer_argument(layer), matrix_argument<double>(targets_, "targets"), code_size) {}

  ValueGradientPair evaluate(const py::object& codes) {
    const auto Z = matrix_argument<double>(codes, "codes");
    auto gradient = new_matrix<double>(Z.rows(), Z.cols(), "the gradient", layer_advice);
    double value = 0;
    call(mutex_, [&, out = writable_view(gradient)] { value = engine_.evaluate(Z, out); });
    return py::make_tuple(value, gradient);
  }

  py::array_t<double> coefficients() const { return new_copy(engine_.coefficients()); }
  double distortion() const { return engine_.distortion(); }
  double squared_norm() const { return engine_.squared_norm(); }
  double jitter() const { return engine_.jitter(); }

 private:
  py::object targets_;  // engine_ views it
  RidgeOutput engine_;
  std::mutex mutex_;
};

}  // namespace

void bind_ridge_output(py::module_& module) {
  py::class_<BoundRidgeOutput>(module, "RidgeOutput", "A last layer in closed form.")
      .def(py::init<const py::tuple&, py::object, Index>(), "layer"_a, "targets"_a, "code_size"_a)
      .def("evaluate", &BoundRidgeOutput::evaluate, "codes"_a, "The minimum and its gradient in the codes.")
      .def("coefficients", &BoundRidgeOutput::coefficients, "A copy of those of the last evaluation.")
      .def("distortion", &BoundRidgeOutput::distortion, "(1/n)|C - K Phi A|^2.")
      .def("squared_norm", &BoundRidgeOutput::squared_norm, "|f_L|^2.")
      .def("jitter", &BoundRidgeOutput::jitter, "What the factorization had to add.");
}

}  // namespace gramian::python
