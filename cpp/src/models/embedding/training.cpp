// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/training.hpp"

#include <cmath>

#include "gramian/base/error.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"
#include "models/embedding/lengths.hpp"
#include "models/embedding/options.hpp"

namespace gramian::embedding {
namespace {

/// The objective with some entries of x that nobody moves, and what it has seen in each evaluation.
class Recorder final : public StochasticObjective {
 public:
  Recorder(TrainingObjective& objective, const std::vector<std::size_t>& fixed) : objective_(objective), fixed_(fixed) {}

  Index size() const override { return objective_.size(); }
  double evaluate(const double* x, double* gradient) override { return seen(objective_.evaluate(x, gradient), gradient); }
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override {
    return seen(objective_.sample(x, seed, step, gradient), gradient);
  }

  void fields(SnapshotFields& state) override {
    std::vector<std::vector<double>> rows;
    for (const Evaluation& one : evaluations_) {
      rows.push_back({one.terms.risk, one.terms.complexity, one.terms.accuracy, static_cast<double>(one.failures)});
    }
    objective_.fields(state);
    state.rows("evaluations", rows, 4);
    if (!state.reads()) return;
    evaluations_.clear();
    for (const auto& row : rows) evaluations_.push_back({{row[0], row[1], row[2]}, static_cast<Index>(row[3])});
  }

  /// A line search that ends the run has no iteration of its own: what failed in it is counted with the last one.
  std::vector<Step> history(const OptimResult& result) const {
    std::vector<Step> steps;
    Index failures = 0;
    for (const Iteration& iteration : result.history) {
      const Index so_far = at(iteration.evaluations).failures;
      steps.push_back({iteration.number, iteration.value, at(iteration.evaluation).terms, so_far - failures});
      failures = so_far;
    }
    steps.back().failures += objective_.failures() - failures;
    return steps;
  }

 private:
  struct Evaluation {
    Terms terms;
    Index failures;  ///< so far
  };
  const Evaluation& at(Index number) const { return evaluations_[static_cast<std::size_t>(number - 1)]; }

  double seen(double value, double* gradient) {
    for (const std::size_t place : fixed_) {
      if (gradient != nullptr) gradient[place] = 0.0;
    }
    evaluations_.push_back({objective_.last_terms(), objective_.failures()});
    return value;
  }

  TrainingObjective& objective_;
  std::vector<std::size_t> fixed_;
  std::vector<Evaluation> evaluations_;
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
OptimResult minimise(Recorder& recorder, const double* x, const Options& options, Index n, Observer* observer) {
  const Solver& solver = *solver_of(options.learning);
  if (const auto* whole = std::get_if<Lbfgs>(&solver)) return lbfgs(recorder, x, *whole, observer);
  Adam own = std::get<Adam>(solver);
  own.seed = options.seed;
  const bool draws = std::holds_alternative<ValidationSearch>(options.learning) || (own.batch_size > 0 && own.batch_size < n);
  return draws ? stochastic_adam(recorder, x, own, observer) : adam(recorder, x, own, observer);
}

/// Of the samples that count. N lambda is the deviation of the labels' noise, whatever N is.
double share_of_batches(const LabelledSample& sample, const Batches& batches) {
  Index n = 0;
  for (Index i = 0; i < sample.X.size(); ++i) n += sample.weight(i) > 0.0 ? 1 : 0;
  const bool draws = batches.batch_size > 0 && batches.batch_size < n;
  return draws ? static_cast<double>(batches.batch_size) / static_cast<double>(n) : 1.0;
}

}  // namespace

Choice train(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
             const Options& options, Observer* observer) {
  const Criterion criterion = searched_criterion(options, kernel, features);
  TrainingObjective objective(sample, kernel, features, criterion, batches_of(options.learning), options.seed);
  Recorder recorder(objective, fixed_entries(kernel));
  const std::vector<double> x = objective.pack(options.lambda, theta);
  Choice choice;
  choice.result = minimise(recorder, x.data(), options, sample.X.size(), observer);
  if (!std::isfinite(choice.result.history.front().value)) {
    throw NumericalError(
        "the system of the embedding can't be factored at the start: raise lambda, scale the data, or lower the kernel's degree "
        "or "
        "gamma");
  }
  choice.history = recorder.history(choice.result);
  const double* found = choice.result.x.data();
  if (kernel != nullptr) choice.kernel = objective.kernel_at(found);
  if (features != nullptr)
    choice.theta.assign(objective.theta_at(found), objective.theta_at(found) + features->parameter_count());
  choice.lambda = objective.lambda_at(found) * share_of_batches(sample, batches_of(options.learning));
  return choice;
}

}  // namespace gramian::embedding
