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
#include "gramian/gram/full.hpp"
#include "models/deep_regression/options.hpp"
#include "models/deep_regression/search.hpp"
#include "models/deep_regression/start.hpp"
#include "models/layered/checks.hpp"
#include "models/layered/restarts.hpp"

namespace gramian::deep_regression {
namespace {

constexpr const char* advice = "use landmarks, or fewer samples";

/// landmarks: 0 for all samples; outputs: of each layer.
std::uint64_t training_bytes(Index samples, Index landmarks, const std::vector<Index>& outputs, bool joint) {
  constexpr double kept = 64.0;  // numbers that a search keeps for each coefficient
  double coefficients = 0.0;
  for (const Index d : outputs)
    coefficients += static_cast<double>(landmarks == 0 ? samples : landmarks) * static_cast<double>(d);
  return bytes_of_run(samples, landmarks, outputs.back(), joint, kept * coefficients);
}

std::uint64_t training_bytes(const LayeredTask& task) {
  std::vector<Index> outputs;
  for (const KernelLayer& layer : task.layers) outputs.push_back(layer.outputs());
  return training_bytes(task.input.size(), static_cast<Index>(task.landmarks.size()), outputs, task.joint);
}

/// x, moved by a few percent of its size: of two sizes in turn, as a basin may be wide or narrow.
std::vector<double> moved(std::vector<double> x, const RandomStream& random, Index which) {
  double squares = 0.0;
  for (const double value : x) squares += value * value;
  const double size = (which % 2 == 0 ? 0.03 : 0.1) * std::sqrt(squares / static_cast<double>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += size * random.normal(i);
  return x;
}

/// The last starts, from the best so far: rounds are of one size, whatever the number of threads.
void refine(Restarts& restarts, Index count, std::uint64_t seed) {
  constexpr Index round = 4;
  for (Index done = 0; done < count && !restarts.stopped(); done += round) {
    const std::vector<double> x = restarts.best().x;
    const Index first = restarts.count() - done;
    restarts.run(std::min(round, count - done), [&](Index start, Composition&) {
      const Index which = start - first;
      const RandomStream random(seed, (std::uint64_t(1) << 42) + static_cast<std::uint64_t>(which));
      return moved(x, random, which);
    });
  }
}

/// Says why J is infinity at the variables of the best start, or of the first one if there are none.
[[noreturn]] void raise_no_start(const LayeredTask& task, const LayeredShare& share, const Starts& start,
                                 const std::vector<double>& x) {
  std::string why =
      "A term of it overflows: a theta grows too fast, distance_penalty meets images that are the same, or targets "
      "or a penalty are too large";
  try {
    LayeredObjective objective = share.objective(task);
    if (x.empty()) {
      start.make(0, objective.layers());
    } else {
      objective.value_at(x.data(), nullptr);
    }
  } catch (const std::exception& error) {
    why = error.what();
  }
  throw NumericalError("the objective is not finite wherever the search begins. " + why +
                       ". Change that, scale the data, or try a smaller init_scale");
}

LayeredFit train(const LayeredTask& task, const Options& options, const LayeredShare& share, int at_once, WarmStart warm_start,
                 Observer* observer) {
  check_warm_start(warm_start, LayeredVariables(share.features, share.layers).size());
  const Starts start(task, options, share.features);
  Restarts restarts(task, share, at_once, observer,
                    [&](LayeredObjective& objective, const std::vector<double>& x, Index, Observer* watch) {
                      return search(task, share, options, objective, x, watch);
                    });
  const Index refined = static_cast<Index>(options.refined_share * static_cast<double>(options.restarts));
  restarts.run(options.restarts - refined, [&](Index which, Composition& layers) {
    if (which > 0 || !warm_start) return start.try_make(which, layers);
    return std::make_optional<std::vector<double>>(warm_start.numbers, warm_start.numbers + warm_start.size);
  });
  if (!std::isfinite(restarts.best().value)) raise_no_start(task, share, start, restarts.best().x);
  refine(restarts, refined, options.seed);
  return restarts.finish();
}

Fit solve_or_train(const LayeredTask& task, const Options& options, WarmStart warm_start, Observer* observer) {
  const std::uint64_t bytes = training_bytes(task);
  require_memory(bytes, "the training of the deep regression", advice);
  if (task.variable_layers() == 0) return {single_layer(task)};
  const int at_once = runs_at_once(bytes, options.restarts, observer);
  LayeredShare share(task, at_once);
  share.features = first_features(task, options.parameters);
  Fit fit{train(task, options, share, at_once, warm_start, observer)};
  if (share.features == nullptr) return fit;
  fit.parameters = InnerParameters::features;
  fit.inner_rank = share.features->rank();
  return fit;
}

/// With all that it refers to.
class OwnedObjective final : public Objective {
 public:
  OwnedObjective(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                 const Options& options)
      : joint_(checked_joint(input, targets, layers, options)),
        options_(options),
        samples_(input, targets, layers, options_),
        task_(make_task(samples_, layers, options_, decided_layers(samples_, layers, options_), joint_)) {
    require(task_.variable_layers() > 0, "one layer is solved for: there is nothing to search, fit it");
    require_memory(training_bytes(task_), "the objective of the deep regression", advice);
    share_.emplace(task_, 1);
    share_->features = first_features(task_, options_.parameters);
    objective_.emplace(share_->objective(task_));
  }
  OwnedObjective(OwnedObjective&&) = delete;  // its parts refer to each other

  Index size() const override { return objective_->size(); }
  double evaluate(const double* x, double* gradient) override { return objective_->evaluate(x, gradient); }

 private:
  bool joint_;
  Options options_;
  DistinctSamples samples_;
  LayeredTask task_;
  std::optional<LayeredShare> share_;
  std::optional<LayeredObjective> objective_;
};

const Kernel& last_kernel(const CompositionModel& model) {
  require(!model.layers.empty(), "the model has no layers");
  require(model.layers.back().terms.size() == 1, "the deep kernel is that of a last layer with one term");
  return model.layers.back().terms.front().kernel;
}

}  // namespace

std::unique_ptr<Objective> objective(const PointSource& input, MatrixView<const double> targets,
                                     const std::vector<LayerPlan>& layers, const Options& options) {
  return std::make_unique<OwnedObjective>(input, targets, layers, options);
}

void check(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
           const Options& options) {
  const bool joint = checked_joint(input, targets, layers, options);
  std::vector<Index> outputs;
  for (const LayerPlan& layer : layers) outputs.push_back(layer.outputs);
  require_memory(training_bytes(input.size(), static_cast<Index>(regression_of(options).landmarks.size()), outputs, joint),
                 "the training of the deep regression", advice);
}

Fit fit(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers, const Options& options,
        WarmStart warm_start, Observer* observer) {
  const bool joint = checked_joint(input, targets, layers, options);
  const DistinctSamples samples(input, targets, layers, options);
  const LayeredTask task = make_task(samples, layers, options, decided_layers(samples, layers, options), joint);
  Fit fit = solve_or_train(task, options, warm_start, observer);
  fit.model.landmarks = samples.supporting_rows();
  fit.rows = samples.rows();
  fit.merged = samples.merged();
  fit.multipliers.clear();  // of bounds, which there are none of
  for (Index l = 1; l <= task.depth(); ++l) {
    const double square = fit.squared_norms[static_cast<std::size_t>(l - 1)];
    fit.penalties.push_back(task.interpolate && l == task.depth() ? square : task.penalty(l, square));
  }
  return fit;
}

/// [DKL] (10), (11): the last kernel on inner images.
void deep_gram(const CompositionModel& model, const Points& images, MatrixView<double> K) { full(last_kernel(model), images, K); }

void deep_gram(const CompositionModel& model, const Points& x_images, const Points& y_images, MatrixView<double> K) {
  full(last_kernel(model), x_images, y_images, K);
}

}  // namespace gramian::deep_regression
