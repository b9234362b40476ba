// SPDX-License-Identifier: BSD-3-Clause
// Losses, evaluated; probabilities.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/losses/probabilities.hpp"
#include "loss_argument.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

ValueGradientPair evaluate(const py::object& spec, const py::object& target, const py::object& output) {
  const auto loss = loss_argument(spec);
  const auto wanted = matrix_argument<double>(target, "target"), found = matrix_argument<double>(output, "output");
  auto gradient = new_matrix<double>(found.rows(), found.cols(), "the gradient of the loss", "pass fewer samples at a time");
  double value = 0.0;
  call([&, out = writable_view(gradient)] { value = loss->evaluate(wanted, found, out); });
  return py::make_tuple(value, gradient);
}

/// The parameters of each loss of the engine, by its name.
std::map<std::string, std::vector<std::string>> names() {
  std::map<std::string, std::vector<std::string>> all;
  for (const LossEntry& entry : all_losses()) {
    std::vector<std::string>& parameters = all[entry.name];
    for (const LossParameter& parameter : entry.parameters) parameters.emplace_back(parameter.name);
  }
  return all;
}

py::array_t<double> clipped(const py::object& decision) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), f.cols(), "the probabilities", "pass fewer samples at a time");
  const MatrixView<double> to = writable_view(out);
  call([&] {
    for (Index i = 0; i < f.rows(); ++i) {
      for (Index c = 0; c < f.cols(); ++c) to(i, c) = f(i, c);
    }
    clip_normalise(to);
  });
  return out;
}

}  // namespace

void bind_losses(py::module_& module) {
  module.def("names", &names, "The names of all losses, and of their parameters.");
  module.def("evaluate", &evaluate, "loss"_a, "target"_a, "output"_a, "The sum over samples, and its gradient in output.");
  module.def("clip_normalise", &clipped, "decision"_a, "[MCE] (6).");
}

}  // namespace gramian::python
