// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "layers/stationarity.hpp"

namespace gramian {
namespace {

CompositionOptions composition_options(const LayeredTask& task, int at_once) {
  return {task.landmarks, task.memory_budget / static_cast<std::uint64_t>(at_once)};
}

/// NaN where landmarks are so close to each other that their Gram matrix has no factor.
double stationarity_of(const LayeredTask& task, const Composition& layers, const std::vector<double>& gradient) {
  try {
    return std::sqrt(stationarity_square(task.input, task.landmarks, layers, gradient));
  } catch (const NumericalError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

LayeredShare::LayeredShare(const LayeredTask& task, int at_once)
    : layers(task.input, {task.layers.begin(), task.layers.begin() + task.variable_layers()},
             composition_options(task, at_once)) {}

LayeredFit trained_layers(const LayeredTask& task, LayeredObjective& objective, const std::vector<double>& x) {
  objective.move_to(x);
  const Composition& layers = objective.layers();
  LayeredFit out;
  out.joint = task.joint;
  out.objective = objective.value();
  out.loss = objective.loss();
  out.multipliers = objective.multipliers();
  out.model.layers = task.layers;
  for (Index l = 1; l <= layers.depth(); ++l) {
    out.model.coefficients.push_back(Matrix::copy_of(layers.coefficients(objective.coefficients().data(), l)));
    out.squared_norms.push_back(std::max(0.0, layers.squared_norm(l)));
    if (l == task.depth()) continue;
    out.outputs.push_back(Matrix::copy_of(layers.output(l)));
    out.model.supports.push_back(Matrix::copy_of(layers.support(l)));
  }
  if (!task.joint) {
    out.model.coefficients.push_back(objective.last_coefficients());
    out.squared_norms.push_back(objective.last_squared_norm());
    out.jitter = objective.jitter();
  }
  // A last layer that is solved for leaves nothing of its gradient.
  out.stationarity = stationarity_of(task, layers, objective.coefficient_gradient());
  return out;
}

LayeredFit single_layer(const LayeredTask& task) {
  KernelLayer layer = task.layers.front();
  layer.penalty = task.slope(1, 0.0);
  RidgeOutput ridge(layer, task.targets, 1, {!task.mean, task.interpolate, task.weights});
  LayeredFit out;
  out.objective = out.result.value = ridge.evaluate(task.input, task.landmarks);
  out.result.evaluations = 1;
  out.result.history.push_back({0, out.objective, 0.0, 0.0, 1, 1});
  out.result.stop_reason = StopReason::gradient;
  out.restart_values = {out.objective};
  out.restart_reasons = {StopReason::gradient};
  out.loss = ridge.distortion();
  out.squared_norms = {ridge.squared_norm()};
  out.jitter = ridge.jitter();
  out.model.layers = task.layers;
  out.model.coefficients.push_back(Matrix::copy_of(ridge.coefficients()));
  return out;
}

std::uint64_t bytes_of_run(Index samples, Index landmarks, Index outputs, bool joint, double optimiser) {
  const bool all = landmarks == 0;
  const double n = static_cast<double>(samples), m = static_cast<double>(all ? samples : landmarks);
  double numbers = 8.0 * n * static_cast<double>(outputs) + optimiser;
  // Tiles, system and packed factor; with landmarks n x m values and a system of m.
  if (!joint) numbers += all ? 2.0 * n * n : n * m + 1.5 * m * m;
  return static_cast<std::uint64_t>(8.0 * numbers);
}

int runs_at_once(std::uint64_t bytes, Index restarts, const Observer* observer) {
  const int workers = max_workers();
  const std::uint64_t room = memory_report().limit / std::max<std::uint64_t>(bytes, 1);
  const bool watched = observer != nullptr && !observer->concurrent();
  const bool alone = watched || restarts < workers || room < static_cast<std::uint64_t>(workers);
  return alone ? 1 : workers;
}

}  // namespace gramian
