// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/training.hpp"

#include <cmath>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/patient_adam.hpp"
#include "models/embedding/lengths.hpp"
#include "models/embedding/options.hpp"

namespace gramian {
namespace {

/// Between an optimiser, the objective and the caller's observer: keeps of each iteration what the objective has seen in it.
class Recorder final : public StochasticObjective, public Observer {
 public:
  Recorder(EmbeddingObjective& objective, const std::vector<std::size_t>& fixed, Observer* observer)
      : objective_(objective), fixed_(fixed), observer_(observer) {}

  Index size() const override { return objective_.size(); }
  double evaluate(const double* x, double* gradient) override { return seen(objective_.evaluate(x, gradient), gradient); }
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override {
    return seen(objective_.sample(x, seed, step, gradient), gradient);
  }

  bool observe(const Iteration& iteration, const double* x) override {
    record(iteration);
    return observer_ == nullptr || observer_->observe(iteration, x);
  }

  /// A line search that ends the run has no iteration of its own: what failed in it is counted with the last one.
  std::vector<EmbeddingStep> history(const OptimResult& result) {
    std::vector<EmbeddingStep> steps = std::move(steps_);
    steps.insert(steps.begin(), {0, result.history.front().value, first_, 0});
    steps.back().failures += objective_.failures() - failures_;
    return steps;
  }

 private:
  double seen(double value, double* gradient) {
    for (const std::size_t place : fixed_) {
      if (gradient != nullptr) gradient[place] = 0.0;
    }
    if (!any_) first_ = objective_.last_terms();
    any_ = true;
    tried_.emplace_back(value, objective_.last_terms());
    return value;
  }

  /// A line search may go back to a point that it has tried before the last one.
  void record(const Iteration& iteration) {
    EmbeddingStep step{iteration.number, iteration.value, tried_.back().second, objective_.failures() - failures_};
    for (const auto& [value, terms] : tried_) {
      if (value == iteration.value) step.terms = terms;
    }
    failures_ = objective_.failures();
    tried_.clear();
    steps_.push_back(step);
  }

  EmbeddingObjective& objective_;
  std::vector<std::size_t> fixed_;  ///< entries of x that nobody moves
  Observer* observer_;
  bool any_ = false;
  EmbeddingTerms first_;
  std::vector<std::pair<double, EmbeddingTerms>> tried_;
  std::vector<EmbeddingStep> steps_;
  Index failures_ = 0;
};

/// Of the kernel's parameters that can be learned, those that are to stay.
std::vector<std::size_t> fixed_entries(const Kernel* kernel) {
  std::vector<std::size_t> fixed;
  if (kernel == nullptr) return fixed;
  const std::vector<bool> learnable = kernel->learnable_parameters(), widths = widths_beside_lengths(*kernel);
  std::size_t entry = 0;
  for (std::size_t p = 0; p < learnable.size(); ++p) {
    if (learnable[p] && widths[p]) fixed.push_back(entry);
    entry += learnable[p] ? 1 : 0;
  }
  return fixed;
}

/// [MCE] Alg. 1, line 12: the updates.
OptimResult minimise(Recorder& recorder, const double* x, const EmbeddingOptions& options, Index n) {
  if (options.solver == EmbeddingSolver::lbfgs) {
    LbfgsOptions lbfgs_options;
    lbfgs_options.max_iterations = options.max_iterations;
    lbfgs_options.gradient_tolerance = 0.0;
    lbfgs_options.value_tolerance = options.tolerance;
    return lbfgs(recorder, x, lbfgs_options, &recorder);
  }
  PatientAdamOptions adam_options;
  adam_options.max_iterations = options.max_iterations;
  adam_options.step = options.learning_rate;
  adam_options.estimates = on_estimates(options, n);
  adam_options.seed = options.seed;
  adam_options.tolerance = options.tolerance;
  adam_options.patience = options.patience;
  adam_options.average = options.average;
  return patient_adam(recorder, x, adam_options, &recorder);
}

}  // namespace

EmbeddingChoice train_embedding(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const double* theta,
                                const EmbeddingOptions& options, Observer* observer) {
  const EmbeddingCriterion criterion = searched_criterion(options, kernel, features);
  EmbeddingObjective objective(sample, kernel, features, criterion, batches_of(options), options.seed);
  Recorder recorder(objective, fixed_entries(kernel), observer);
  const std::vector<double> x = objective.pack(options.lambda, theta);
  EmbeddingChoice choice;
  choice.result = minimise(recorder, x.data(), options, sample.X.size());
  if (!std::isfinite(choice.result.history.front().value)) {
    throw NumericalError(
        "the system of the embedding can't be factored at the start: raise alpha, which is lambda, or scale the data");
  }
  choice.history = recorder.history(choice.result);
  const double* found = choice.result.x.data();
  if (kernel != nullptr) choice.kernel = objective.kernel_at(found);
  if (features != nullptr)
    choice.theta.assign(objective.theta_at(found), objective.theta_at(found) + features->parameter_count());
  choice.lambda = objective.lambda_at(found);
  return choice;
}

}  // namespace gramian
