// SPDX-License-Identifier: BSD-3-Clause
// Compositions of layers, for those who put models together themselves.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/layers/composition.hpp"
#include "gramian/layers/jacobian.hpp"
#include "layer_spec.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

/// Coefficients of all layers, one behind the other.
const double* flat_argument(const py::object& object, Index count) {
  return numbers_argument<double>(object, "coefficients", count);
}

class BoundComposition {
 public:
  BoundComposition(py::object X, const py::list& layers, std::vector<Index> landmarks, std::uint64_t memory_budget)
      : X_(std::move(X)), points_(X_, py::none()) {
    const PointSource input = input_argument(points_);
    auto parts = layers_argument(layers);
    call([&] { engine_.emplace(input, std::move(parts), CompositionOptions{std::move(landmarks), memory_budget}); });
  }

  double forward(const py::object& coefficients) {
    const double* flat = flat_argument(coefficients, engine_->coefficient_count());
    double penalty = 0;
    call(mutex_, [&] { penalty = engine_->forward(flat); });
    return penalty;
  }

  py::array_t<double> reverse(const py::object& output_bar) {
    const auto bar = matrix_argument<double>(output_bar, "output_bar");
    auto gradient = new_matrix<double>(engine_->coefficient_count(), 1, "the gradient", layer_advice);
    call(mutex_, [&, out = gradient.mutable_data()] { engine_->reverse(bar, {}, out); });
    return gradient;
  }

  py::array_t<double> function_gradient() {
    auto gradient = new_matrix<double>(engine_->coefficient_count(), 1, "the gradient", layer_advice);
    call(mutex_, [&, out = gradient.mutable_data()] { engine_->function_gradient(out); });
    return gradient;
  }

  py::array_t<double> output(Index l) const { return new_copy(engine_->output(l)); }
  py::array_t<double> support(Index l) const { return new_copy(engine_->support(l)); }
  double squared_norm(Index l) const { return engine_->squared_norm(l); }

 private:
  py::object X_;  // points_ views it
  PointsArgument points_;
  std::optional<Composition> engine_;
  std::mutex mutex_;
};

Index count_of(const PointSource& input, const std::vector<KernelLayer>& layers) {
  Index outputs = 0;
  for (const KernelLayer& layer : layers) outputs += layer.outputs();
  return checked_product(input.size(), outputs);
}

py::array jacobian(const py::object& X, const py::list& specs, const py::object& coefficients, Index layer, Index sample) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto layers = layers_argument(specs);
  const double* flat = flat_argument(coefficients, count_of(input, layers));
  Matrix result;
  call([&] { result = forward_jacobian(input, layers, flat, layer, sample); });
  return new_copy(result.view());
}

py::array gradient_by_jacobians(const py::object& X, const py::list& specs, const py::object& coefficients,
                                const py::object& targets) {
  const PointsArgument points(X, py::none());
  const PointSource input = input_argument(points);
  const auto layers = layers_argument(specs);
  const double* flat = flat_argument(coefficients, count_of(input, layers));
  const auto T = matrix_argument<double>(targets, "targets");
  auto gradient = new_matrix<double>(count_of(input, layers), 1, "the gradient", layer_advice);
  call([&, out = gradient.mutable_data()] { jacobian_gradient(input, layers, flat, T, out); });
  return gradient;
}

}  // namespace

void bind_layers(py::module_& module) {
  module.def("memory_budget", [] { return CompositionOptions{}.memory_budget; }, "Of compositions, by default.");
  py::class_<BoundComposition>(module, "Composition", "Layers on a sample.")
      .def(py::init<py::object, const py::list&, std::vector<Index>, std::uint64_t>(), "X"_a, "layers"_a, "landmarks"_a,
           "memory_budget"_a)
      .def("forward", &BoundComposition::forward, "coefficients"_a, "The sum of weighted squared norms; outputs are kept.")
      .def("reverse", &BoundComposition::reverse, "output_bar"_a, "The gradient in the coefficients, as one column.")
      .def("function_gradient", &BoundComposition::function_gradient, "The gradient in the functions, as one column.")
      .def("output", &BoundComposition::output, "layer"_a, "A copy of X_l.")
      .def("support", &BoundComposition::support, "layer"_a, "A copy of S_l.")
      .def("squared_norm", &BoundComposition::squared_norm, "layer"_a, "|f_l|^2.");
  module.def("forward_jacobian", &jacobian, "X"_a, "layers"_a, "coefficients"_a, "layer"_a, "sample"_a,
             "Jacobians of all outputs in one coefficient, one below the other.");
  module.def("jacobian_gradient", &gradient_by_jacobians, "X"_a, "layers"_a, "coefficients"_a, "targets"_a,
             "The gradient of the squared loss by explicit Jacobians, as one column.");
}

}  // namespace gramian::python
