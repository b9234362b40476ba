// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/objective_batch.hpp"

namespace gramian::embedding {
namespace {

/// Of what is not an optimiser's, which checks its own.
void check_numbers(const Options& options) {
  require_positive(options.lambda, "lambda");
  require(options.epsilon > 0.0 && options.epsilon < 1.0, "epsilon must be in (0, 1)");
  require_not_negative(options.sensitivity, "sensitivity");
  require_not_negative(std::visit([](const auto& way) { return way.tau; }, options.learning), "tau");
  if (const auto* validation = std::get_if<ValidationSearch>(&options.learning)) {
    require(validation->fraction > 0.0 && validation->fraction < 1.0, "fraction must be in (0, 1)");
  }
  require(batches_of(options.learning).batch_size >= 0, "batch_size must not be negative; 0 takes all samples");
}

void check_grid(const GridSearch& grid, Index n, const FeatureMap* features) {
  for (const double lambda : grid.lambda_grid) require_positive(lambda, "each number of lambda_grid");
  for (const double scale : grid.scale_grid) require_positive(scale, "each number of scale_grid");
  require(!grid.lambda_grid.empty() && !grid.scale_grid.empty(), "lambda_grid and scale_grid must have a number each");
  require(grid.folds >= 2 && grid.folds <= n, "folds must be at least 2, and at most the number of samples");
  require(features == nullptr, "GridSearch has no grid for features: take another learning");
}

void check_together(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features, const Options& options) {
  const Index n = sample.X.size();
  const bool linear_on_features = kernel == nullptr && features != nullptr;
  require(!std::holds_alternative<ValidationSearch>(options.learning) || n >= 2,
          "ValidationSearch needs at least 2 samples: take another learning");
  if (const auto* grid = std::get_if<GridSearch>(&options.learning)) check_grid(*grid, n, features);
  require(!std::holds_alternative<MedianLengths>(options.learning) || !linear_on_features,
          "MedianLengths sets length scales, and a linear kernel on features has none: take another learning");
  require_ascending(options.landmarks, n, "landmarks");
  require(options.landmarks.empty() || !linear_on_features,
          "landmarks support a kernel: without one the features are explicit already");
}

/// p x p, or n x n and the features of all samples where there are as many of them as samples.
void require_system(double n, double p) {
  const double numbers = p < n ? p * p : n * (n + p);
  require_memory(static_cast<std::uint64_t>(8.0 * numbers),
                 "the system of " + std::to_string(static_cast<Index>(p)) + " explicit features", "use fewer features");
}

/// Gram matrices with their factors: what is stored of n numbers squared.
void require_room(double n, const Options& options, const std::string& what, const std::string& advice) {
  const double bytes = 8.0 * 2.2 * n * n;
  if (options.memory_budget > 0 && bytes > static_cast<double>(options.memory_budget)) {
    throw MemoryLimitError(what + " of " + std::to_string(static_cast<Index>(n)) + " samples takes " +
                           std::to_string(static_cast<Index>(bytes / 1048576.0)) + " MiB, above the memory_budget of " +
                           std::to_string(options.memory_budget / 1048576) + " MiB: " + advice);
  }
  require_memory(static_cast<std::uint64_t>(bytes), what, advice);
}

void check_memory(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features, const Options& options) {
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
  if (std::holds_alternative<GridSearch>(options.learning)) {
    if (in_coordinates) return;
    return require_room(n, options, "cross-validation", "learn on validation splits with a batch_size");
  }
  if (solver_of(options.learning) == nullptr) return;
  const Batches batches = batches_of(options.learning);
  const double rows = batches.batch_size > 0 ? std::min(n, static_cast<double>(batches.batch_size)) : n;
  const double learned_from = rows * (1.0 - batches.validation_fraction);
  // A row more or less may be held out.
  if (in_coordinates && static_cast<double>(sample.X.dimension()) < learned_from - 1.0) return;
  require_room(rows, options, "learning from a batch", "give a smaller batch_size, or explicit features, or raise memory_budget");
}

}  // namespace

const Solver* solver_of(const Learning& learning) {
  if (const auto* validation = std::get_if<ValidationSearch>(&learning)) return &validation->solver;
  if (const auto* risk = std::get_if<RiskSearch>(&learning)) return &risk->solver;
  return nullptr;
}

bool supported_by_coordinates(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                              const Options& options) {
  if (kernel == nullptr || features != nullptr || sample.X.sparse()) return false;
  return options.landmarks.empty() && !options.keep_samples && kernel->traits().explicit_features &&
         sample.X.dimension() < sample.X.size();
}

Criterion searched_criterion(const Options& options, const Kernel* kernel, const FeatureMap* features) {
  Criterion criterion{options};
  criterion.tau = std::visit([](const auto& way) { return way.tau; }, options.learning);
  if (features == nullptr || criterion.sensitivity > 0.0 || solver_of(options.learning) == nullptr) return criterion;
  const bool bounded = features->bounded() || (kernel != nullptr && std::isfinite(kernel->supremum()));
  if (!bounded && features->parameter_count() > 0) criterion.sensitivity = 1.0;
  return criterion;
}

Batches batches_of(const Learning& learning) {
  Batches batches;
  const Solver* solver = solver_of(learning);
  const auto* adam = solver == nullptr ? nullptr : std::get_if<Adam>(solver);
  if (adam != nullptr) batches.batch_size = adam->batch_size;
  if (const auto* validation = std::get_if<ValidationSearch>(&learning)) batches.validation_fraction = validation->fraction;
  return batches;
}

void check(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features, const Options& options) {
  check_sample(sample);
  if (features != nullptr) check_features(*features, sample.X);
  check_numbers(options);
  check_together(sample, kernel, features, options);
  check_memory(sample, kernel, features, options);
}

}  // namespace gramian::embedding
