// SPDX-License-Identifier: BSD-3-Clause
// Classifiers from multiclass conditional embeddings.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "embedding_spec.hpp"
#include "matrices.hpp"
#include "observer.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Facts = py::typing::Dict<py::str, py::object>;
using Numbers = py::array_t<double>;

/// The history by columns.
Facts columns_of(const EmbeddingFit& fit) {
  const auto column = [](const auto& rows, auto value) {
    py::array_t<decltype(value(rows.front()))> array(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) array.mutable_data()[i] = value(rows[i]);
    return array;
  };
  const auto& steps = fit.history;
  const auto& iterations = fit.result.history;
  return Facts("iteration"_a = column(steps, [](const EmbeddingStep& step) { return step.number; }),
               "value"_a = column(steps, [](const EmbeddingStep& step) { return step.value; }),
               "risk"_a = column(steps, [](const EmbeddingStep& step) { return step.terms.risk; }),
               "complexity"_a = column(steps, [](const EmbeddingStep& step) { return step.terms.complexity; }),
               "accuracy"_a = column(steps, [](const EmbeddingStep& step) { return step.terms.accuracy; }),
               "failures"_a = column(steps, [](const EmbeddingStep& step) { return step.failures; }),
               "gradient_norm"_a = column(iterations, [](const Iteration& it) { return it.gradient_norm; }),
               "evaluations"_a = column(iterations, [](const Iteration& it) { return it.evaluations; }));
}

Facts facts_of(EmbeddingFit&& fit) {
  EmbeddingModel& model = fit.model;
  return Facts("kernel_parameters"_a = model.kernel ? model.kernel->parameters() : std::vector<double>(),
               "lambda"_a = model.lambda, "theta"_a = array_of(model.theta), "explicit"_a = !model.kernel,
               "unit_vectors"_a = model.kernel && model.form == EmbeddingForm::features,
               "weights"_a = array_of(std::move(model.weights)), "complexity"_a = model.complexity, "risk"_a = model.risk,
               "sensitivity"_a = model.sensitivity, "jitter"_a = model.jitter, "predicted_classes"_a = model.predicted,
               "objective"_a = fit.objective, "history"_a = columns_of(fit), "stop_reason"_a = name_of(fit.result.stop_reason),
               "converged"_a = converged(fit.result.stop_reason), "iterations"_a = fit.result.iterations);
}

Facts train(const py::object& X, const py::object& labels, Index classes, const py::object& weights, const py::object& kernel,
            const py::object& features, const py::dict& settings, const py::object& theta, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const EmbeddingParts parts(kernel, features, points.dimension());
  const LabelledSample sample{points.X(), labels_argument(labels, points.rows()), classes,
                              weights_argument(weights, points.rows())};
  const EmbeddingOptions options = embedding_options_argument(settings);
  const double* start = theta_argument(theta, parts.features.get());
  CallbackObserver observer(callback);
  EmbeddingFit fit;
  observer.call(
      [&] { fit = fit_embedding(sample, parts.kernel_or_null(), parts.features.get(), options, start, observer.if_wanted()); });
  return facts_of(std::move(fit));
}

Numbers decide(const py::object& kernel, const py::object& features, const py::object& theta, const py::object& weights,
               const py::object& supports, const py::object& X) {
  const PointsArgument points(X, py::none());
  EmbeddingParts parts(kernel, features, points.dimension());
  const auto W = matrix_argument<double>(weights, "weights");
  const double* numbers = theta_argument(theta, parts.features.get());
  EmbeddingModel model;
  model.kernel = parts.kernel;
  if (numbers != nullptr) model.theta.assign(numbers, numbers + parts.features->parameter_count());
  model.weights = Matrix::copy_of(W);
  auto out = new_matrix<double>(points.rows(), W.cols(), "the decisions", "pass fewer samples at a time");
  const PointsArgument support(supports.is_none() ? X : supports, py::none());
  call([&, to = writable_view(out)] { embedding_decision(model, parts.features.get(), support.X(), points.X(), to); });
  return out;
}

Numbers margins(const py::object& decision) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), 1, "the margins", "pass fewer samples at a time");
  call([&, to = writable_view(out)] { embedding_margin(f, to); });
  return out;
}

Numbers entropies(const py::object& decision, bool expected) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), 1, "the entropies", "pass fewer samples at a time");
  const EntropyMethod method = expected ? EntropyMethod::expected : EntropyMethod::clip;
  call([&, to = writable_view(out)] { embedding_entropy(f, method, to); });
  return out;
}

double bound(double risk, double complexity, Index n, double delta) {
  EmbeddingModel model;
  model.risk = risk;
  model.complexity = complexity;
  return embedding_risk_bound(model, n, delta);
}

}  // namespace

void bind_embedding(py::module_& module) {
  module.def("fit", &train, "X"_a, "labels"_a, "classes"_a, "weights"_a, "kernel"_a, "features"_a, "options"_a, "theta"_a,
             "callback"_a, "All that training gives, by name. Neither kernel nor features: the engine's own kernel.");
  module.def("decision", &decide, "kernel"_a, "features"_a, "theta"_a, "weights"_a, "supports"_a, "X"_a,
             "f(x), [MCE] (5), for each row.");
  module.def("margin", &margins, "decision"_a, "How much likelier the second of two classes is: a column.");
  module.def("entropy", &entropies, "decision"_a, "expected"_a, "[MCE] (33), or (37): a column.");
  module.def("risk_bound", &bound, "risk"_a, "complexity"_a, "n"_a, "delta"_a, "[MCE] (11).");
}

}  // namespace gramian::python
