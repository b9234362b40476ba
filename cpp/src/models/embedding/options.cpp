// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "models/embedding/linear.hpp"

namespace gramian {
namespace {

/// By experiments on small public and synthetic sets: a share of the order of a tenth leaves most samples to the embedding, and a
/// multiplier of the order of 1 does better than 0 and than 4e.
constexpr double validation_share = 0.2;
constexpr double validation_tau = 1.0;
constexpr double printed_tau = 4.0 * 2.718281828459045235;

void require_positive(double value, const std::string& name) {
  require(std::isfinite(value) && value > 0.0, name + " must be a finite number greater than 0");
}

void require_not_negative(double value, const std::string& name) {
  require(std::isfinite(value) && value >= 0.0, name + " must be a finite number, 0 or greater");
}

/// What is written in a sparse matrix is trusted from here on.
void check_sparse(const SparseRows<double>& rows) {
  require(rows.row_start[0] >= 0, "X has a row that begins before the first entry");
  for (Index i = 0; i < rows.rows; ++i) {
    require(rows.row_start[i] <= rows.row_start[i + 1], "X has a row that ends before it begins");
    for (Index e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) {
      require(rows.columns[e] >= 0 && rows.columns[e] < rows.cols, "X has a column index out of its range");
    }
  }
}

void check_sample(const LabelledSample& sample, const FeatureMap* features) {
  const Index n = sample.X.size();
  require(n >= 1, "X must have at least one row");
  require(sample.X.scalar() == Scalar::float64, "X must be float64");
  if (sample.X.sparse()) check_sparse(sample.X.sparse64());
  require(sample.labels != nullptr && sample.classes >= 1, "labels and classes must be given");
  double total = 0.0;
  for (Index i = 0; i < n; ++i) {
    require(sample.labels[i] >= 0 && sample.labels[i] < sample.classes, "labels must be numbers in [0, classes)");
    if (sample.weights == nullptr) continue;
    require_not_negative(sample.weights[i], "each weight");
    total += sample.weights[i];
  }
  require(sample.weights == nullptr || total > 0.0, "weights must not all be 0");
  if (features == nullptr) return;
  require(!sample.X.sparse(), "features need dense points");
  require(sample.X.dimension() == features->inputs(), "X has " + std::to_string(sample.X.dimension()) +
                                                          " features, but the feature map takes " +
                                                          std::to_string(features->inputs()));
}

void check_numbers(const EmbeddingOptions& options) {
  require_positive(options.lambda, "lambda");
  require_positive(options.learning_rate, "learning_rate");
  require_not_negative(options.tolerance, "tolerance");
  require_not_negative(options.tau.value_or(0.0), "tau");
  require(options.criterion.epsilon > 0.0 && options.criterion.epsilon < 1.0, "epsilon must be in (0, 1)");
  require_not_negative(options.criterion.sensitivity, "sensitivity");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(options.patience >= 1, "patience must be at least 1");
  require(options.average >= 1, "average must be at least 1");
  require(options.batches.batch_size >= 0, "batch_size must not be negative; 0 takes all samples");
  const double fraction = options.batches.validation_fraction;
  require(fraction >= 0.0 && fraction < 1.0, "validation_fraction must be in [0, 1)");
  for (const double lambda : options.lambda_grid) require_positive(lambda, "each number of lambda_grid");
  for (const double scale : options.scale_grid) require_positive(scale, "each number of scale_grid");
}

void check_together(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                    const EmbeddingOptions& options) {
  const Index n = sample.X.size();
  require(options.solver != EmbeddingSolver::lbfgs || options.batches.batch_size == 0,
          "the solver lbfgs needs the whole objective: batch_size must be 0");
  require(options.learning != EmbeddingLearning::validation || n >= 2,
          "validation needs at least 2 samples: take another learning");
  const bool folds = options.learning == EmbeddingLearning::cross_validation;
  require(!folds || (options.folds >= 2 && options.folds <= n), "folds must be at least 2, and at most the number of samples");
  require(!folds || features == nullptr, "cross_validation has no grid for features: take another learning");
  require(options.learning != EmbeddingLearning::median || kernel != nullptr || features == nullptr,
          "median sets length scales, and a linear kernel on features has none: take another learning");
  require_ascending(options.landmarks, n, "landmarks");
  require(options.landmarks.empty() || kernel != nullptr || features == nullptr,
          "landmarks support a kernel: without one the features are explicit already");
}

/// p x p, or n x n and the features of all samples where there are as many of them as samples.
void require_system(double n, double p) {
  const double numbers = p < n ? p * p : n * (n + p);
  require_memory(static_cast<std::uint64_t>(8.0 * numbers),
                 "the system of " + std::to_string(static_cast<Index>(p)) + " explicit features", "use fewer features");
}

/// Gram matrices with their factors: what is stored of n numbers squared.
void require_room(double n, const EmbeddingOptions& options, const std::string& what, const std::string& advice) {
  const double bytes = 8.0 * 2.2 * n * n;
  if (bytes > static_cast<double>(options.memory_budget)) {
    throw MemoryLimitError(what + " of " + std::to_string(static_cast<Index>(n)) + " samples takes " +
                           std::to_string(static_cast<Index>(bytes / 1048576.0)) + " MiB, above the memory_budget of " +
                           std::to_string(options.memory_budget / 1048576) + " MiB: " + advice);
  }
  require_memory(static_cast<std::uint64_t>(bytes), what, advice);
}

void check_memory(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                  const EmbeddingOptions& options) {
  const auto n = static_cast<double>(sample.X.size());
  if (kernel == nullptr && features != nullptr) return require_system(n, static_cast<double>(features->outputs()));
  const bool in_coordinates = supported_by_coordinates(sample, kernel, features, options);
  const auto support = options.landmarks.empty() ? n : static_cast<double>(options.landmarks.size());
  if (in_coordinates) {
    require_system(n, static_cast<double>(sample.X.dimension()));
  } else {
    require_room(support, options, "the exact embedding",
                 "give landmarks, rows of X that support it, or explicit features, or raise memory_budget");
  }
  if (options.learning == EmbeddingLearning::cross_validation) {
    if (in_coordinates) return;
    return require_room(n, options, "cross-validation", "learn on validation splits with a batch_size");
  }
  if (!learns_by_gradients(options.learning)) return;
  const Index batch = options.batches.batch_size;
  const double rows = batch > 0 ? std::min(n, static_cast<double>(batch)) : n;
  const double learned_from = rows * (1.0 - batches_of(options).validation_fraction);
  // A row more or less may be held out.
  if (in_coordinates && static_cast<double>(sample.X.dimension()) < learned_from - 1.0) return;
  require_room(rows, options, "learning from a batch", "give a smaller batch_size, or explicit features, or raise memory_budget");
}

}  // namespace

bool learns_by_gradients(EmbeddingLearning learning) {
  return learning == EmbeddingLearning::validation || learning == EmbeddingLearning::rademacher ||
         learning == EmbeddingLearning::erm;
}

bool supported_by_coordinates(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                              const EmbeddingOptions& options) {
  if (kernel == nullptr || features != nullptr || sample.X.sparse()) return false;
  return options.landmarks.empty() && !options.keep_samples && kernel->traits().explicit_features &&
         sample.X.dimension() < sample.X.size();
}

EmbeddingCriterion criterion_of(const EmbeddingOptions& options) {
  EmbeddingCriterion criterion = options.criterion;
  const EmbeddingLearning learning = options.learning;
  const double own = learning == EmbeddingLearning::validation ? validation_tau : printed_tau;
  criterion.tau = learning == EmbeddingLearning::erm ? 0.0 : options.tau.value_or(own);
  return criterion;
}

EmbeddingCriterion searched_criterion(const EmbeddingOptions& options, const Kernel* kernel, const FeatureMap* features) {
  EmbeddingCriterion criterion = criterion_of(options);
  if (features == nullptr || criterion.sensitivity > 0.0 || !learns_by_gradients(options.learning)) return criterion;
  const bool bounded = features->bounded() || (kernel != nullptr && std::isfinite(kernel->supremum()));
  if (!bounded && features->parameter_count() > 0) criterion.sensitivity = 1.0;
  return criterion;
}

EmbeddingBatches batches_of(const EmbeddingOptions& options) {
  EmbeddingBatches batches = options.batches;
  if (options.learning != EmbeddingLearning::validation) {
    batches.validation_fraction = 0.0;
  } else if (batches.validation_fraction == 0.0) {
    batches.validation_fraction = validation_share;
  }
  return batches;
}

bool on_estimates(const EmbeddingOptions& options, Index n) {
  if (options.solver == EmbeddingSolver::lbfgs) return false;
  const Index batch = options.batches.batch_size;
  return options.learning == EmbeddingLearning::validation || (batch > 0 && batch < n);
}

void check_embedding(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                     const EmbeddingOptions& options) {
  check_sample(sample, features);
  check_numbers(options);
  check_together(sample, kernel, features, options);
  check_memory(sample, kernel, features, options);
}

}  // namespace gramian
