// SPDX-License-Identifier: BSD-3-Clause
// Ways to learn an embedding with their options, and what training gives.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "gramian/models/embedding/classifier.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

template <>
struct ChoiceNames<Risk> {
  static constexpr std::pair<const char*, Risk> pairs[] = {{"sum", Risk::sum}, {"mean", Risk::mean}};
};

namespace {

/// The history by columns.
Columns history_of(const EmbeddingFit& fit) {
  Columns columns;
  const auto term = [](double EmbeddingTerms::* part) { return [part](const EmbeddingStep& step) { return step.terms.*part; }; };
  add_column(columns, "iteration", fit.history, &EmbeddingStep::number);
  add_column(columns, "value", fit.history, &EmbeddingStep::value);
  add_column(columns, "risk", fit.history, term(&EmbeddingTerms::risk));
  add_column(columns, "complexity", fit.history, term(&EmbeddingTerms::complexity));
  add_column(columns, "accuracy", fit.history, term(&EmbeddingTerms::accuracy));
  add_column(columns, "failures", fit.history, &EmbeddingStep::failures);
  add_column(columns, "gradient_norm", fit.result.history, &Iteration::gradient_norm);
  add_column(columns, "step", fit.result.history, &Iteration::step);
  add_column(columns, "evaluations", fit.result.history, &Iteration::evaluations);
  return columns;
}

void bind_fit(py::module_& module) {
  py::class_<EmbeddingModel> model(module, "Model", "A trained classifier.");
  add_array(model, "weights", [](const EmbeddingModel& m) -> const auto& { return m.weights; });
  add_array(model, "theta", [](const EmbeddingModel& m) -> const auto& { return m.theta; });
  model
      .def_property_readonly("kernel_parameters",
                             [](const EmbeddingModel& m) { return m.kernel ? m.kernel->parameters() : std::vector<double>(); })
      .def_property_readonly("has_kernel", [](const EmbeddingModel& m) { return m.kernel.has_value(); })
      .def_property_readonly("of_unit_vectors",
                             [](const EmbeddingModel& m) { return m.kernel && m.form == EmbeddingForm::features; })
      .def_readonly("lambda_", &EmbeddingModel::lambda)
      .def_readonly("complexity", &EmbeddingModel::complexity)
      .def_readonly("risk", &EmbeddingModel::risk)
      .def_readonly("sensitivity", &EmbeddingModel::sensitivity)
      .def_readonly("jitter", &EmbeddingModel::jitter)
      .def_readonly("predicted_classes", &EmbeddingModel::predicted);
  py::class_<EmbeddingFit> fit(module, "Fit", "All that training gives.");
  add_end(fit, [](const EmbeddingFit& found) -> const OptimResult& { return found.result; });
  fit.def_readonly("model", &EmbeddingFit::model)
      .def_readonly("objective", &EmbeddingFit::objective)
      .def_property_readonly("history", &history_of);
  add_array(fit, "fold_losses", [](const EmbeddingFit& found) -> const auto& { return found.fold_losses; });
  add_array(fit, "fold_weights", [](const EmbeddingFit& found) -> const auto& { return found.fold_weights; });
}

}  // namespace

void bind_embedding_types(py::module_& module) {
  py::native_enum<Risk> risks(module, "Risk", "enum.Enum");
  for (const auto& [name, risk] : ChoiceNames<Risk>::pairs) risks.value(name, risk);
  risks.finalize();
  py::native_enum<EntropyMethod>(module, "EntropyMethod", "enum.Enum")
      .value("clip", EntropyMethod::clip)
      .value("expected", EntropyMethod::expected)
      .finalize();
  bind_options<EmbeddingAdam>(module, "Adam", "solver 'adam'")
      .def_static("automatic_batch", &EmbeddingAdam::automatic_batch, "samples"_a, "The size of batches; 0: all samples.");
  bind_options<EmbeddingLbfgs>(module, "Lbfgs", "solver 'lbfgs'");
  bind_options<ValidationSearch>(module, "ValidationSearch", "ValidationSearch");
  bind_options<RiskSearch>(module, "RiskSearch", "RiskSearch");
  bind_options<GridSearch>(module, "GridSearch", "GridSearch");
  bind_options<MedianLengths>(module, "MedianLengths", "MedianLengths");
  bind_options<AsGiven>(module, "AsGiven", "AsGiven");
  bind_options<EmbeddingOptions>(module, "Options", "the model");
  bind_fit(module);
}

}  // namespace gramian::python
