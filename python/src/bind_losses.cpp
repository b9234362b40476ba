// SPDX-License-Identifier: BSD-3-Clause
// Losses, evaluated; probabilities.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "embedding_spec.hpp"
#include "gramian/losses/calibration.hpp"
#include "gramian/losses/probabilities.hpp"
#include "loss_argument.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

ValueGradientPair evaluate(const py::object& spec, const py::object& target, const py::object& output) {
  const auto loss = loss_argument(spec);
  const auto wanted = matrix_argument<double>(target, "target"), found = matrix_argument<double>(output, "output");
  auto gradient = new_matrix<double>(found.rows(), found.cols(), "the gradient of the loss", fewer_samples);
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

/// make(a copy of the scores), which become probabilities.
template <class Make>
py::array_t<double> probabilities(const py::object& decision, Make make) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), f.cols(), "the probabilities", fewer_samples);
  const MatrixView<double> to = writable_view(out);
  call([&] {
    for (Index i = 0; i < f.rows(); ++i) {
      for (Index c = 0; c < f.cols(); ++c) to(i, c) = f(i, c);
    }
    make(to);
  });
  return out;
}

py::array_t<double> clipped(const py::object& decision) { return probabilities(decision, &clip_normalise); }

py::array_t<double> calibrated(const py::object& decision, double inverse_temperature, double uniform_share) {
  const Calibration calibration{inverse_temperature, uniform_share};
  return probabilities(decision, [&](MatrixView<double> scores) {
    check_calibration(calibration);
    calibrated_softmax(calibration, scores);
  });
}

/// (inverse_temperature, uniform_share)
std::pair<double, double> calibration(const py::object& scores, const py::object& labels, const py::object& weights,
                                      double centre, double width) {
  const auto f = matrix_argument<double>(scores, "scores");
  const Index* numbers = labels_argument(labels, f.rows());
  const double* counts = weights_argument(weights, f.rows());
  Calibration found;
  call([&] { found = calibrate(f, numbers, counts, {centre, width}); });
  return {found.inverse_temperature, found.uniform_share};
}

}  // namespace

void bind_losses(py::module_& module) {
  module.def("names", &names, "The names of all losses, and of their parameters.");
  module.def("evaluate", &evaluate, "loss"_a, "target"_a, "output"_a, "The sum over samples, and its gradient in output.");
  module.def("clip_normalise", &clipped, "decision"_a, "[MCE] (6).");
  module.def("calibrated_softmax", &calibrated, "decision"_a, "inverse_temperature"_a, "uniform_share"_a,
             "(1 - u) softmax(b f) + u / m.");
  module.def("calibrate", &calibration, "scores"_a, "labels"_a, "weights"_a, "centre"_a = CalibrationPrior().centre,
             "width"_a = CalibrationPrior().width, "b and u, from scores of samples that were held out.");
}

}  // namespace gramian::python
