// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_regression.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "models/deep_regression/training.hpp"
#include "models/layered/starts.hpp"

namespace gramian {
namespace {

constexpr const char* advice = "use landmarks, or fewer samples";

std::vector<std::shared_ptr<Penalty>> thetas_of(const std::vector<DeepRegressionLayer>& layers) {
  std::vector<std::shared_ptr<Penalty>> out;
  for (const DeepRegressionLayer& layer : layers) out.push_back(layer.theta);
  return out;
}

int runs_at_once(const DeepTask& task, Observer* observer) {
  const std::uint64_t bytes = bytes_of_run(task);
  require_memory(bytes, "the training of the deep regression", advice);
  const int workers = max_workers();
  const std::uint64_t room = memory_report().limit / std::max<std::uint64_t>(bytes, 1);
  const bool alone = observer != nullptr || task.options.restarts < workers || room < static_cast<std::uint64_t>(workers);
  return alone ? 1 : workers;
}

void check_warm_start(const std::vector<double>& x, Index wanted) {
  require(static_cast<Index>(x.size()) == wanted,
          "warm_start has " + std::to_string(x.size()) + " numbers, but there are " + std::to_string(wanted) + " variables");
  for (const double value : x) require(std::isfinite(value), "warm_start has a number that is not finite");
}

/// x, moved by a few percent of its size: of two sizes in turn, as a basin may be wide or narrow.
std::vector<double> moved(std::vector<double> x, const RandomStream& random, Index which) {
  double squares = 0.0;
  for (const double value : x) squares += value * value;
  const double size = (which % 2 == 0 ? 0.03 : 0.1) * std::sqrt(squares / static_cast<double>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += size * random.normal(i);
  return x;
}

void take_better(RestartResult more, RestartResult& all) {
  if (std::isfinite(more.best.value) && !(more.best.value >= all.best.value)) {
    all.best_index = static_cast<Index>(all.values.size()) + more.best_index;
    all.best = std::move(more.best);
  }
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
  all.stop_reasons.insert(all.stop_reasons.end(), more.stop_reasons.begin(), more.stop_reasons.end());
}

/// The last starts, from the best so far: rounds are of one size, whatever the number of threads.
void refine(const DeepTraining& training, Index count, std::uint64_t seed, int at_once, Observer* observer, RestartResult& all) {
  constexpr Index round = 4;
  for (Index first = 0; first < count && all.stop_reasons.back() != StopReason::observer; first += round) {
    const std::vector<double> x = all.best.x;
    take_better(run_starts(std::min(round, count - first), at_once, observer,
                           [&](Index i, Observer* watch) {
                             const Index which = first + i;
                             const RandomStream random(seed, (std::uint64_t(1) << 42) + static_cast<std::uint64_t>(which));
                             return training.run(moved(x, random, which), watch);
                           }),
                all);
  }
}

/// Says why J is infinity at the variables of the best start, or of the first one if there are none.
[[noreturn]] void raise_no_start(const DeepTraining& training, const std::vector<double>& x) {
  std::string why =
      "A term of it overflows: a theta grows too fast, distance_penalty meets images that are the same, or targets "
      "or a penalty are too large";
  try {
    if (x.empty()) {
      training.start(0);
    } else {
      training.objective().value_at(x.data(), nullptr);
    }
  } catch (const std::exception& error) {
    why = error.what();
  }
  throw NumericalError("the objective is not finite wherever the search begins. " + why +
                       ". Change that, scale the data, or try a smaller start_scale");
}

void train(const DeepTask& task, const std::vector<double>* warm_start, Observer* observer, DeepRegressionFit& fit) {
  const DeepRegressionOptions& options = task.options;
  const int at_once = runs_at_once(task, observer);
  const DeepShare share(task, at_once);
  const DeepTraining training(task, share);
  if (warm_start != nullptr) check_warm_start(*warm_start, DeepVariables(share.features, share.layers).size());
  const Index refined = static_cast<Index>(options.refined_share * static_cast<double>(options.restarts));
  RestartResult restarts = run_starts(options.restarts - refined, at_once, observer, [&](Index start, Observer* watch) {
    return start == 0 && warm_start != nullptr ? training.run(*warm_start, watch) : training.run(start, watch);
  });
  if (!std::isfinite(restarts.best.value)) raise_no_start(training, restarts.best.x);
  refine(training, refined, options.seed, at_once, observer, restarts);
  fit.result = std::move(restarts.best);
  fit.restart_values = std::move(restarts.values);
  fit.restart_reasons = std::move(restarts.stop_reasons);
  training.describe(fit.result.x, fit);
}

/// With all that it refers to.
class OwnedObjective final : public Objective {
 public:
  OwnedObjective(const PointSource& input, MatrixView<const double> targets, const std::vector<DeepRegressionLayer>& layers,
                 const DeepRegressionOptions& options)
      : joint_(checked_joint(input, targets, layers, options)),
        options_(options),
        samples_(input, targets, layers, options_),
        task_{samples_, options_, decided_layers(samples_, layers, options_), thetas_of(layers), joint_} {
    require(task_.variable_layers() > 0, "one layer is solved for: there is nothing to search, fit it");
    require_memory(bytes_of_run(task_), "the objective of the deep regression", advice);
    share_.emplace(task_, 1);
    objective_.emplace(DeepTraining(task_, *share_).objective());
  }
  OwnedObjective(OwnedObjective&&) = delete;  // its parts refer to each other

  Index size() const override { return objective_->size(); }
  double evaluate(const double* x, double* gradient) override { return objective_->evaluate(x, gradient); }

 private:
  bool joint_;
  DeepRegressionOptions options_;
  DeepSamples samples_;
  DeepTask task_;
  std::optional<DeepShare> share_;
  std::optional<DeepObjective> objective_;
};

}  // namespace

std::unique_ptr<Objective> deep_regression_objective(const PointSource& input, MatrixView<const double> targets,
                                                     const std::vector<DeepRegressionLayer>& layers,
                                                     const DeepRegressionOptions& options) {
  return std::make_unique<OwnedObjective>(input, targets, layers, options);
}

void check_deep_regression(const PointSource& input, MatrixView<const double> targets,
                           const std::vector<DeepRegressionLayer>& layers, const DeepRegressionOptions& options) {
  const bool joint = checked_joint(input, targets, layers, options);
  std::vector<Index> outputs;
  for (const DeepRegressionLayer& layer : layers) outputs.push_back(layer.outputs);
  require_memory(bytes_of_run(input.size(), static_cast<Index>(options.landmarks.size()), outputs, joint),
                 "the training of the deep regression", advice);
}

DeepRegressionFit fit_deep_regression(const PointSource& input, MatrixView<const double> targets,
                                      const std::vector<DeepRegressionLayer>& layers, const DeepRegressionOptions& options,
                                      const std::vector<double>* warm_start, Observer* observer) {
  const bool joint = checked_joint(input, targets, layers, options);
  const DeepSamples samples(input, targets, layers, options);
  const DeepTask task{samples, options, decided_layers(samples, layers, options), thetas_of(layers), joint};
  DeepRegressionFit fit;
  fit.joint = joint;
  fit.merged = samples.merged();
  fit.rows = samples.rows();
  if (task.variable_layers() == 0) {
    require_memory(bytes_of_run(task), "the system of the regression", advice);
    solve_single(task, fit);
  } else {
    train(task, warm_start, observer, fit);
  }
  for (Index l = 1; l <= task.depth(); ++l) {
    const double square = fit.squared_norms[static_cast<std::size_t>(l - 1)];
    fit.penalties.push_back(options.interpolate && l == task.depth() ? square : task.penalty(l, square));
  }
  return fit;
}

}  // namespace gramian
