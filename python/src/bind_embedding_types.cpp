// SPDX-License-Identifier: BSD-3-Clause
// Ways to learn an embedding with their options, and what training gives.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <string>
#include <vector>

#include "gramian/models/embedding/classifier.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"

namespace gramian::python {

using namespace py::literals;

template <>
struct ChoiceNames<Risk> {
  static constexpr std::pair<const char*, Risk> pairs[] = {{"sum", Risk::sum}, {"mean", Risk::mean}};
};

namespace {

using Numbers = py::array_t<double>;
using Columns = py::typing::Dict<py::str, py::array>;

/// The history by columns.
Columns columns_of(const EmbeddingFit& fit) {
  Columns columns;
  const auto add = [&](const char* name, const auto& rows, auto value) {
    py::array_t<decltype(value(rows.front()))> array(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) array.mutable_data()[i] = value(rows[i]);
    columns[name] = array;
  };
  const auto& steps = fit.history;
  const auto& iterations = fit.result.history;
  add("iteration", steps, [](const EmbeddingStep& step) { return step.number; });
  add("value", steps, [](const EmbeddingStep& step) { return step.value; });
  add("risk", steps, [](const EmbeddingStep& step) { return step.terms.risk; });
  add("complexity", steps, [](const EmbeddingStep& step) { return step.terms.complexity; });
  add("accuracy", steps, [](const EmbeddingStep& step) { return step.terms.accuracy; });
  add("failures", steps, [](const EmbeddingStep& step) { return step.failures; });
  add("gradient_norm", iterations, [](const Iteration& it) { return it.gradient_norm; });
  add("step", iterations, [](const Iteration& it) { return it.step; });
  add("evaluations", iterations, [](const Iteration& it) { return it.evaluations; });
  return columns;
}

/// On the memory of the model, which lives as long.
Numbers weights_of(const py::object& model) {
  const Matrix& weights = model.cast<const EmbeddingModel&>().weights;
  return Numbers({weights.rows(), weights.cols()}, weights.data(), model);
}

void bind_fit(py::module_& module) {
  py::class_<EmbeddingModel>(module, "EmbeddingModel", "A trained classifier.")
      .def_property_readonly("kernel_parameters",
                             [](const EmbeddingModel& m) { return m.kernel ? m.kernel->parameters() : std::vector<double>(); })
      .def_property_readonly("has_kernel", [](const EmbeddingModel& m) { return m.kernel.has_value(); })
      .def_property_readonly("of_unit_vectors",
                             [](const EmbeddingModel& m) { return m.kernel && m.form == EmbeddingForm::features; })
      .def_property_readonly("weights", &weights_of)
      .def_property_readonly("theta", [](const EmbeddingModel& m) { return array_of(m.theta); })
      .def_readonly("lambda_", &EmbeddingModel::lambda)
      .def_readonly("complexity", &EmbeddingModel::complexity)
      .def_readonly("risk", &EmbeddingModel::risk)
      .def_readonly("sensitivity", &EmbeddingModel::sensitivity)
      .def_readonly("jitter", &EmbeddingModel::jitter)
      .def_readonly("predicted_classes", &EmbeddingModel::predicted);
  py::class_<EmbeddingFit>(module, "EmbeddingFit", "All that training gives.")
      .def_readonly("model", &EmbeddingFit::model)
      .def_readonly("objective", &EmbeddingFit::objective)
      .def_property_readonly("history", &columns_of)
      .def_property_readonly("fold_losses",
                             [](const EmbeddingFit& fit) { return array_of(Matrix::copy_of(fit.fold_losses.view())); })
      .def_property_readonly("fold_weights", [](const EmbeddingFit& fit) { return array_of(fit.fold_weights); })
      .def_property_readonly("stop_reason", [](const EmbeddingFit& fit) { return std::string(name_of(fit.result.stop_reason)); })
      .def_property_readonly("iterations", [](const EmbeddingFit& fit) { return fit.result.iterations; });
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
