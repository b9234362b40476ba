// SPDX-License-Identifier: BSD-3-Clause
// Classifiers from multiclass conditional embeddings.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "calibration.hpp"
#include "call.hpp"
#include "embedding_spec.hpp"
#include "feature_spec.hpp"
#include "gramian/models/embedding/predictor.hpp"
#include "gramian/models/embedding/sums.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "observer.hpp"
#include "predictor.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;
embedding::Fit train(const py::object& X, const py::object& labels, Index classes, const py::object& weights,
                     const py::object& kernel, const py::object& features, const embedding::Options& options,
                     const std::vector<double>& theta, const py::object& callback) {
  const PointsArgument points(X, py::none());
  const EmbeddingArgument parts(kernel, features, points.dimension());
  const embedding::LabelledSample sample{points.X(), labels_argument(labels, points.rows()), classes,
                                         weights_argument(weights, points.rows())};
  CallbackObserver observer(callback);
  embedding::Fit fit;
  observer.call(
      [&] { fit = embedding::fit(sample, parts.kernel_or_null(), parts.features.get(), options, theta, observer.if_wanted()); });
  return fit;
}

std::shared_ptr<embedding::Predictor> predictor(const py::object& kernel, const py::sequence& features, Index inputs,
                                                const py::object& supports, const py::object& weights, const py::sequence& labels,
                                                const CalibrationPair& calibration) {
  embedding::Parts parts;
  if (!kernel.is_none()) parts.kernel = kernel_argument(kernel);
  parts.features = fixed_features_of(features, inputs);
  parts.supports = shared_samples(supports, "supports");
  parts.weights = shared_matrix(weights, "weights");
  parts.classes = labels_of(labels);
  parts.calibration = calibration_of(calibration);
  std::shared_ptr<embedding::Predictor> made;
  call([&] { made = std::make_shared<embedding::Predictor>(std::move(parts)); });
  return made;
}

Numbers margins(const py::object& decision) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), 1, "the margins", fewer_samples);
  call([&, to = writable_view(out)] { embedding::margin(f, to); });
  return out;
}

Numbers entropies(const py::object& decision, embedding::EntropyMethod method) {
  const auto f = matrix_argument<double>(decision, "decision");
  auto out = new_matrix<double>(f.rows(), 1, "the entropies", fewer_samples);
  call([&, to = writable_view(out)] { embedding::entropy(f, method, to); });
  return out;
}

embedding::Model of_sums(const LandmarkFeatures& features, const NormalSystem& system, double weight, Index count,
                         const py::object& X, const py::object& labels, const py::object& weights,
                         const embedding::Options& options) {
  const PointsArgument points(X, py::none());
  const embedding::LabelledSample sample{points.X(), labels_argument(labels, points.rows()), system.right.cols(),
                                         weights_argument(weights, points.rows())};
  embedding::Model model;
  call([&] { model = embedding::fit_sums(features, {system.clone(), weight, count}, sample, options); });
  return model;
}

double bound(double risk, double complexity, Index n, double delta) {
  embedding::Model model;
  model.risk = risk;
  model.complexity = complexity;
  return embedding::risk_bound(model, n, delta);
}

}  // namespace

void bind_embedding(py::module_& module) {
  module.def("fit", &train, "X"_a, "labels"_a, "classes"_a, "weights"_a, "kernel"_a, "features"_a, "options"_a, "theta"_a,
             "callback"_a, "All that training gives, by name. Neither kernel nor features: the engine's own kernel.");
  module.def("fit_sums", &of_sums, "features"_a, "system"_a, "weight"_a, "count"_a, "X"_a, "labels"_a, "weights"_a, "options"_a,
             "The classifier of samples that were summed up, some of which are X.");
  PredictorClass<embedding::Predictor>(module, "Predictor", "f(x), [MCE] (5): scores of the classes, and what they say.")
      .def(py::init(&predictor), "kernel"_a, "features"_a, "inputs"_a, "supports"_a, "weights"_a, "labels"_a,
           "calibration"_a = py::none());
  module.def("margin", &margins, "decision"_a, "How much likelier the second of two classes is: a column.");
  module.def("entropy", &entropies, "decision"_a, "method"_a, "[MCE] (33), or (37): a column.");
  module.def("risk_bound", &bound, "risk"_a, "complexity"_a, "n"_a, "delta"_a, "[MCE] (11).");
}

}  // namespace gramian::python
