// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder.hpp"

#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "gramian/base/memory.hpp"
#include "gramian/base/random.hpp"
#include "models/autoencoder/alternating.hpp"
#include "models/autoencoder/batches.hpp"
#include "models/autoencoder/constraint.hpp"
#include "models/autoencoder/options.hpp"
#include "models/autoencoder/start.hpp"
#include "models/layered/restarts.hpp"

namespace gramian::autoencoder {
namespace {

/// One start, from x to where it ends.
class Search {
 public:
  Search(LayeredObjective& objective, const std::vector<double>& x, Index start, Observer* observer)
      : objective_(objective), x_(x.data()), start_(start), observer_(observer) {}

  OptimResult operator()(const EliminatedTraining& training) {
    const auto run = [&](const auto& solver) {
      if constexpr (std::is_same_v<std::decay_t<decltype(solver)>, AlternatingOptions>) {
        return alternate(objective_, x_, solver, observer_);
      } else {
        return solver.minimise({objective_, x_, observer_});
      }
    };
    return std::visit(run, training.solver);
  }

  /// Starts draw different batches; the first one those of the seed itself.
  OptimResult operator()(const JointTraining& training) {
    BatchObjective batches(objective_, training.batch_size);
    const bool estimated = training.batch_size > 0 || std::holds_alternative<SgdOptions>(training.solver);
    const auto run = [&](auto solver) {
      using Solver = decltype(solver);
      if constexpr (std::is_same_v<Solver, AdamOptions> || std::is_same_v<Solver, SgdOptions>) {
        if (start_ > 0) solver.seed = RandomStream(solver.seed).bits(static_cast<std::uint64_t>(start_));
      }
      return solver.minimise({objective_, x_, observer_, estimated ? &batches : nullptr});
    };
    return std::visit(run, training.solver);
  }

  /// At its end the gradient is that along the balls.
  OptimResult operator()(const ConstrainedTraining& training) {
    ConstrainedObjective constrained(objective_, training.max_norm);
    NormBalls balls(objective_.layers(), training.max_norm);
    OptimResult end = training.solver.minimise({constrained, x_, observer_, nullptr, &balls});
    std::vector<double> gradient(end.x.size());
    constrained.evaluate(end.x.data(), gradient.data());
    return end;
  }

 private:
  LayeredObjective& objective_;
  const double* x_;
  Index start_;
  Observer* observer_;
};

std::shared_ptr<const Loss> loss_of(const EliminatedTraining&) { return nullptr; }
std::shared_ptr<const Loss> loss_of(const JointTraining& training) { return training.loss; }
std::shared_ptr<const Loss> loss_of(const ConstrainedTraining& training) { return training.loss; }

std::vector<double> of_mean_one(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight *= static_cast<double>(weights.size()) / sum;
  return weights;
}

LayeredTask task_of(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& plans,
                    const Options& options, bool joint) {
  LayeredTask task{input, targets, options.landmarks};
  task.mean = true;
  task.weights = of_mean_one(options.weights);
  task.joint = joint;
  task.loss = std::visit([](const auto& training) { return loss_of(training); }, options.training);
  if (task.loss == nullptr) task.loss = squared_loss();
  for (const LayerPlan& plan : plans) task.thetas.push_back(plan.theta);
  task.memory_budget = options.memory_budget;
  return task;
}

}  // namespace

Fit fit(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers, const Options& options,
        WarmStart warm_start, Observer* observer) {
  const bool joint = checked_joint(input, targets, layers, options, warm_start);
  const std::uint64_t bytes =
      bytes_of_run(input.size(), static_cast<Index>(options.landmarks.size()), targets.cols(), joint, 0.0);
  require_memory(bytes, "the training of the autoencoder", "use landmarks, fewer samples, or JointTraining");
  const int at_once = runs_at_once(bytes, options.restarts, observer);
  const Starts start(input, layers, options, static_cast<bool>(warm_start));
  LayeredTask task = task_of(input, targets, layers, options, joint);
  task.layers = start.layers();
  const LayeredShare share(task, at_once);
  Restarts restarts(task, share, at_once, observer,
                    [&](LayeredObjective& objective, const std::vector<double>& x, Index number, Observer* watch) {
                      return std::visit(Search(objective, x, number, watch), options.training);
                    });
  restarts.run(options.restarts, [&](Index number, Composition& moving) {
    if (number > 0 || !warm_start) return start.coefficients(task, number, moving);
    return std::vector<double>(warm_start.numbers, warm_start.numbers + moving.coefficient_count());
  });
  Fit fit = restarts.finish();
  fit.model.landmarks = options.landmarks;
  if (!std::holds_alternative<ConstrainedTraining>(options.training)) fit.multipliers.clear();
  return fit;
}

}  // namespace gramian::autoencoder
