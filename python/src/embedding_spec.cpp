// SPDX-License-Identifier: BSD-3-Clause
#include "embedding_spec.hpp"

#include "arrays.hpp"
#include "feature_spec.hpp"
#include "kernel_spec.hpp"
#include "settings.hpp"

namespace gramian::python {

EmbeddingParts::EmbeddingParts(const py::object& kernel_spec, const py::object& features_spec, Index inputs) {
  if (!kernel_spec.is_none()) kernel = kernel_argument(kernel_spec);
  if (!features_spec.is_none()) features = feature_map_of(features_spec, inputs);
}

const double* theta_argument(const py::object& theta, const FeatureMap* features) {
  if (theta.is_none()) return nullptr;
  return numbers_argument<double>(theta, "theta", features == nullptr ? 0 : features->parameter_count());
}

const Index* labels_argument(const py::object& labels, Index rows) {
  return labels.is_none() ? nullptr : numbers_argument<Index>(labels, "labels", rows);
}

const double* weights_argument(const py::object& weights, Index rows) {
  return weights.is_none() ? nullptr : numbers_argument<double>(weights, "weights", rows);
}

EmbeddingOptions embedding_options_argument(const py::dict& dict) {
  Settings settings(dict);
  EmbeddingOptions options;
  settings.read("learning", options.learning,
                {{"validation", EmbeddingLearning::validation},
                 {"rademacher", EmbeddingLearning::rademacher},
                 {"erm", EmbeddingLearning::erm},
                 {"cv", EmbeddingLearning::cross_validation},
                 {"median", EmbeddingLearning::median},
                 {"none", EmbeddingLearning::none}});
  settings.read("risk", options.criterion.risk, {{"sum", Risk::sum}, {"mean", Risk::mean}});
  settings.read("epsilon", options.criterion.epsilon);
  settings.read("sensitivity", options.criterion.sensitivity);
  settings.read("tau", options.tau);
  settings.read("batch_size", options.batches.batch_size);
  settings.read("validation_fraction", options.batches.validation_fraction);
  settings.read("solver", options.solver, {{"adam", EmbeddingSolver::adam}, {"lbfgs", EmbeddingSolver::lbfgs}});
  settings.read("learning_rate", options.learning_rate);
  settings.read("max_iterations", options.max_iterations);
  settings.read("tolerance", options.tolerance);
  settings.read("patience", options.patience);
  settings.read("average", options.average);
  settings.read("lambda", options.lambda);
  settings.read("folds", options.folds);
  settings.read("lambda_grid", options.lambda_grid);
  settings.read("scale_grid", options.scale_grid);
  settings.read("landmarks", options.landmarks);
  settings.read("keep_samples", options.keep_samples);
  settings.read("seed", options.seed);
  settings.read("memory_budget", options.memory_budget);
  settings.finish();
  return options;
}

}  // namespace gramian::python
