// SPDX-License-Identifier: BSD-3-Clause
// Losses, evaluated.
#include <pybind11/pybind11.h>

#include "arrays.hpp"
#include "call.hpp"
#include "loss_argument.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

py::tuple evaluate(const py::object& spec, const py::object& target, const py::object& output) {
  const auto loss = loss_argument(spec);
  const auto wanted = matrix_argument<double>(target, "target"), found = matrix_argument<double>(output, "output");
  auto gradient = new_matrix<double>(found.rows(), found.cols(), "the gradient of the loss", "pass fewer samples at a time");
  double value = 0.0;
  call([&, out = writable_view(gradient)] { value = loss->evaluate(wanted, found, out); });
  return py::make_tuple(value, gradient);
}

}  // namespace

void bind_losses(py::module_& module) {
  module.def("evaluate", &evaluate, "loss"_a, "target"_a, "output"_a, "The sum over samples, and its gradient in output.");
}

}  // namespace gramian::python
