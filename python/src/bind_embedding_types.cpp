// SPDX-License-Identifier: BSD-3-Clause
// Ways to learn an embedding with their options, and what training gives.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "calibration.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

template <>
struct ChoiceNames<embedding::Risk> {
  static constexpr std::pair<const char*, embedding::Risk> pairs[] = {{"sum", embedding::Risk::sum},
                                                                      {"mean", embedding::Risk::mean}};
};

template <>
struct ChoiceNames<embedding::Probabilities> {
  static constexpr std::pair<const char*, embedding::Probabilities> pairs[] = {
      {"calibrated", embedding::Probabilities::calibrated}, {"clip", embedding::Probabilities::clip}};
};

namespace {

/// The history by columns.
Columns history_of(const embedding::Fit& fit) {
  Columns columns;
  const auto term = [](double embedding::Terms::* part) {
    return [part](const embedding::Step& step) { return step.terms.*part; };
  };
  add_column(columns, "iteration", fit.history, &embedding::Step::number);
  add_column(columns, "value", fit.history, &embedding::Step::value);
  add_column(columns, "risk", fit.history, term(&embedding::Terms::risk));
  add_column(columns, "complexity", fit.history, term(&embedding::Terms::complexity));
  add_column(columns, "accuracy", fit.history, term(&embedding::Terms::accuracy));
  add_column(columns, "failures", fit.history, &embedding::Step::failures);
  add_column(columns, "gradient_norm", fit.result.history, &Iteration::gradient_norm);
  add_column(columns, "step", fit.result.history, &Iteration::step);
  add_column(columns, "evaluations", fit.result.history, &Iteration::evaluations);
  return columns;
}

void bind_fit(py::module_& module) {
  py::class_<embedding::Model> model(module, "Model", "A trained classifier.");
  add_array(model, "weights", [](const embedding::Model& m) -> const auto& { return m.weights; });
  add_array(model, "theta", [](const embedding::Model& m) -> const auto& { return m.theta; });
  model
      .def_property_readonly("kernel_parameters",
                             [](const embedding::Model& m) { return m.kernel ? m.kernel->parameters() : std::vector<double>(); })
      .def_property_readonly("has_kernel", [](const embedding::Model& m) { return m.kernel.has_value(); })
      .def_property_readonly("of_unit_vectors",
                             [](const embedding::Model& m) { return m.kernel && m.form == embedding::Form::features; })
      .def_readonly("lambda_", &embedding::Model::lambda)
      .def_readonly("complexity", &embedding::Model::complexity)
      .def_readonly("risk", &embedding::Model::risk)
      .def_readonly("sensitivity", &embedding::Model::sensitivity)
      .def_readonly("jitter", &embedding::Model::jitter)
      .def_property_readonly("calibration", [](const embedding::Model& m) { return calibration_pair(m.calibration); })
      .def_readonly("predicted_classes", &embedding::Model::predicted);
  py::class_<embedding::Fit> fit(module, "Fit", "All that training gives.");
  add_end(fit, [](const embedding::Fit& found) -> const OptimResult& { return found.result; });
  fit.def_readonly("model", &embedding::Fit::model)
      .def_readonly("objective", &embedding::Fit::objective)
      .def_property_readonly("history", &history_of);
  add_array(fit, "fold_losses", [](const embedding::Fit& found) -> const auto& { return found.fold_losses; });
  add_array(fit, "fold_weights", [](const embedding::Fit& found) -> const auto& { return found.fold_weights; });
}

}  // namespace

void bind_embedding_types(py::module_& module) {
  py::native_enum<embedding::Risk> risks(module, "Risk", "enum.Enum");
  for (const auto& [name, risk] : ChoiceNames<embedding::Risk>::pairs) risks.value(name, risk);
  risks.finalize();
  py::native_enum<embedding::Probabilities> ways(module, "Probabilities", "enum.Enum");
  for (const auto& [name, way] : ChoiceNames<embedding::Probabilities>::pairs) ways.value(name, way);
  ways.finalize();
  py::native_enum<embedding::EntropyMethod>(module, "EntropyMethod", "enum.Enum")
      .value("clip", embedding::EntropyMethod::clip)
      .value("expected", embedding::EntropyMethod::expected)
      .finalize();
  bind_options<embedding::Adam>(module, "Adam", "solver 'adam'")
      .def_static("automatic_batch", &embedding::Adam::automatic_batch, "samples"_a, "The size of batches; 0: all samples.");
  bind_options<embedding::Lbfgs>(module, "Lbfgs", "solver 'lbfgs'");
  bind_options<embedding::ValidationSearch>(module, "ValidationSearch", "ValidationSearch");
  bind_options<embedding::RiskSearch>(module, "RiskSearch", "RiskSearch");
  bind_options<embedding::GridSearch>(module, "GridSearch", "GridSearch");
  bind_options<embedding::MedianLengths>(module, "MedianLengths", "MedianLengths");
  bind_options<embedding::AsGiven>(module, "AsGiven", "AsGiven");
  bind_options<embedding::Options>(module, "Options", "the model");
  bind_fit(module);
}

}  // namespace gramian::python
