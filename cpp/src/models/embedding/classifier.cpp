// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/embedding/classifier.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "gramian/base/error.hpp"
#include "models/embedding/lengths.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/options.hpp"
#include "models/embedding/training.hpp"
#include "models/embedding/weights.hpp"

namespace gramian::embedding {
namespace {

/// Kernel and lambda as they are, or with length scales from the median distance.
Choice given(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
             const Options& options) {
  Choice choice;
  if (kernel != nullptr) choice.kernel = *kernel;
  choice.theta = theta;
  choice.lambda = options.lambda;
  choice.result.stop_reason = StopReason::value;
  if (!std::holds_alternative<MedianLengths>(options.learning)) return choice;
  const Matrix Z = features == nullptr ? Matrix() : features_of(*features, theta.data(), sample.X);
  choice.kernel = with_lengths(*kernel, median_length(features == nullptr ? sample.X : Points(Z.view())));
  return choice;
}

Choice choose(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
              const Options& options, Observer* observer) {
  if (solver_of(options.learning) != nullptr) return train(sample, kernel, features, theta, options, observer);
  const auto* grid = std::get_if<GridSearch>(&options.learning);
  if (grid != nullptr) return search(sample, *kernel, options, *grid, observer);
  return given(sample, kernel, features, theta, options);
}

/// q over all samples, without a part held out, and its terms. r of the model is of its own sensitivity, which a search may not
/// have had.
Step whole_objective(const Model& model, double total, const Criterion& criterion) {
  Step step;
  const bool another = criterion.sensitivity > 0.0 && model.sensitivity > 0.0;
  step.terms.risk = criterion.risk == Risk::sum ? total * model.risk : model.risk;
  step.terms.complexity = model.complexity * (another ? criterion.sensitivity / model.sensitivity : 1.0);
  step.terms.accuracy = model.accuracy;
  step.value = step.terms.risk + criterion.tau * step.terms.complexity;
  return step;
}

}  // namespace

Fit fit(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const Options& options,
        const std::vector<double>& theta, Observer* observer) {
  // On features that is what no kernel means.
  if (kernel != nullptr && features != nullptr && kernel->traits().inner_product) kernel = nullptr;
  check(sample, kernel, features, options);
  std::optional<Kernel> own;
  if (kernel == nullptr && features == nullptr) kernel = &own.emplace(initial_kernel(sample));
  const std::vector<double> start = features != nullptr && theta.empty() ? features->start(options.seed) : theta;
  require(static_cast<Index>(start.size()) == (features == nullptr ? 0 : features->parameter_count()),
          "theta must have a number for each parameter of the features");
  Choice choice = choose(sample, kernel, features, start, options, observer);
  Fit fit;
  fit.model.kernel = std::move(choice.kernel);
  fit.model.theta = std::move(choice.theta);
  fit.model.lambda = choice.lambda;
  fit.model.landmarks = options.landmarks;
  const Kernel* learned = fit.model.kernel ? &*fit.model.kernel : nullptr;
  embed({sample, learned, features, fit.model.theta.data(), choice.lambda}, options, fit.model);
  const Step whole = whole_objective(fit.model, sample.total(), searched_criterion(options, learned, features));
  fit.objective = whole.value;
  fit.result = std::move(choice.result);
  fit.history = std::move(choice.history);
  if (fit.history.empty()) {
    fit.history.push_back(whole);
    fit.result.history.push_back({0, whole.value, 0.0, 0.0, 1, 1});
  }
  fit.fold_losses = std::move(choice.fold_losses);
  fit.fold_weights = std::move(choice.fold_weights);
  return fit;
}

/// [MCE] (11) and Thm. 4: mean loss + 4e r + sqrt(8 / n log(2 / delta)).
double risk_bound(const Model& model, Index n, double delta) {
  require(n >= 1, "n must be at least 1");
  require(delta > 0.0 && delta < 1.0, "delta must be in (0, 1)");
  constexpr double e = 2.718281828459045235;
  return model.risk + 4.0 * e * model.complexity + std::sqrt(8.0 / static_cast<double>(n) * std::log(2.0 / delta));
}

}  // namespace gramian::embedding
