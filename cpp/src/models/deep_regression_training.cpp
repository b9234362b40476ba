// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression_training.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"
#include "layers/stationarity.hpp"

namespace gramian {
namespace {

Composition make_layers(const DeepTask& task, int at_once) {
  CompositionOptions options;
  options.landmarks = task.samples.landmarks();
  options.memory_budget = task.options.memory_budget / static_cast<std::uint64_t>(at_once);
  return Composition(task.samples.input(), {task.layers.begin(), task.layers.begin() + task.variable_layers()},
                     std::move(options));
}

template <class Options>
Options limits_of(const DeepRegressionOptions& options) {
  Options out;
  out.max_iterations = options.max_iterations;
  out.gradient_tolerance = options.gradient_tolerance;
  return out;
}

}  // namespace

DeepShare::DeepShare(const DeepTask& task, int at_once)
    : layers(make_layers(task, at_once)), features(first_features(task, layers)) {}

OptimResult DeepTraining::run(Index start, Observer* observer) const {
  Composition layers = share_.layers.sibling();
  const std::vector<double> x = DeepStart(task_, share_.features).make(start, layers);
  return run(x, observer);
}

OptimResult DeepTraining::run(const std::vector<double>& x, Observer* observer) const {
  DeepObjective own = objective();
  return minimise(own, x, observer);
}

OptimResult DeepTraining::minimise(DeepObjective& objective, const std::vector<double>& x, Observer* observer) const {
  const DeepRegressionOptions& options = task_.options;
  if (options.solver == DeepRegressionSolver::adam) {
    AdamOptions adam_options = limits_of<AdamOptions>(options);
    adam_options.step = options.step;
    return adam(objective, x.data(), adam_options, observer);
  }
  if (options.solver == DeepRegressionSolver::bfgs) {
    BfgsOptions bfgs_options = limits_of<BfgsOptions>(options);
    bfgs_options.value_tolerance = options.value_tolerance;
    return bfgs(objective, x.data(), bfgs_options, observer);
  }
  LbfgsOptions lbfgs_options = limits_of<LbfgsOptions>(options);
  lbfgs_options.value_tolerance = options.value_tolerance;
  return lbfgs(objective, x.data(), lbfgs_options, observer);
}

CompositionModel DeepTraining::model(const std::vector<double>& x) const {
  DeepObjective own = objective();
  own.value_at(x.data(), nullptr);
  return model(own);
}

CompositionModel DeepTraining::model(const DeepObjective& objective) const {
  const Composition& layers = objective.layers();
  CompositionModel model;
  model.layers = task_.layers;
  model.landmarks = task_.samples.supporting_rows();
  for (Index l = 1; l <= layers.depth(); ++l) {
    model.coefficients.push_back(Matrix::copy_of(layers.coefficients(objective.coefficients().data(), l)));
    if (l < task_.depth()) model.supports.push_back(Matrix::copy_of(layers.support(l)));
  }
  if (!task_.joint) model.coefficients.push_back(objective.last_coefficients());
  return model;
}

void DeepTraining::describe(const std::vector<double>& x, DeepRegressionFit& fit) const {
  DeepObjective own = objective();
  std::vector<double> gradient(static_cast<std::size_t>(own.size()));
  fit.objective = own.value_at(x.data(), gradient.data());
  fit.model = model(own);
  fit.loss = own.loss();
  const Composition& layers = own.layers();
  for (Index l = 1; l <= layers.depth(); ++l) {
    fit.squared_norms.push_back(std::max(0.0, layers.squared_norm(l)));
    if (l < task_.depth()) fit.images.push_back(Matrix::copy_of(layers.output(l)));
  }
  if (!task_.joint) {
    fit.squared_norms.push_back(own.last_squared_norm());
    fit.jitter = own.jitter();
  }
  // A last layer that is solved for leaves nothing of its gradient.
  fit.stationarity =
      std::sqrt(stationarity_square(task_.samples.input(), task_.samples.landmarks(), layers, own.coefficient_gradient()));
  fit.parameters = share_.features ? InnerParameters::features : InnerParameters::coefficients;
  fit.inner_rank = share_.features ? share_.features->rank() : 0;
}

void solve_single(const DeepTask& task, DeepRegressionFit& fit) {
  KernelLayer layer = task.layers.front();
  layer.penalty = task.slope(1, 0.0);
  RidgeOutput ridge(layer, task.samples.targets(), 1, {true, task.options.interpolate, task.samples.weights()});
  fit.objective = fit.result.value = ridge.evaluate(task.samples.input(), task.samples.landmarks());
  fit.result.stop_reason = StopReason::gradient;
  fit.restart_values = {fit.objective};
  fit.restart_reasons = {StopReason::gradient};
  fit.loss = ridge.distortion();
  fit.squared_norms = {ridge.squared_norm()};
  fit.jitter = ridge.jitter();
  fit.model.layers = task.layers;
  fit.model.landmarks = task.samples.supporting_rows();
  fit.model.coefficients.push_back(Matrix::copy_of(ridge.coefficients()));
}

std::uint64_t bytes_of_run(const DeepTask& task) {
  const bool all = task.samples.landmarks().empty();
  const double n = static_cast<double>(task.samples.input().size());
  const double m = all ? n : static_cast<double>(task.samples.landmarks().size());
  double numbers = 8.0 * n * static_cast<double>(task.layers.back().outputs());
  for (const KernelLayer& layer : task.layers) numbers += 64.0 * m * static_cast<double>(layer.outputs());
  // Tiles, system and packed factor; with landmarks n x m values and a system of m.
  if (!task.joint) numbers += all ? 2.0 * n * n : n * m + 1.5 * m * m;
  return static_cast<std::uint64_t>(8.0 * numbers);
}

}  // namespace gramian
