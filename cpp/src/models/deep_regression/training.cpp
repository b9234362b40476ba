// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/training.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"
#include "layers/stationarity.hpp"
#include "optim/infinite_outside.hpp"

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

OptimResult minimise(DeepObjective& objective, const DeepRegressionOptions& options, const std::vector<double>& x,
                     Observer* observer) {
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

/// One of several searches, as one that goes on.
class Continued final : public Observer {
 public:
  Continued(Observer* observer, Index iterations, Index evaluations)
      : observer_(observer), iterations_(iterations), evaluations_(evaluations) {}
  bool observe(const Iteration& iteration, const double* x) override {
    return observer_->observe(after(iteration, iterations_, evaluations_), x);
  }
  static Iteration after(Iteration iteration, Index iterations, Index evaluations) {
    iteration.number += iterations;
    iteration.evaluations += evaluations;
    return iteration;
  }

 private:
  Observer* observer_;
  Index iterations_, evaluations_;
};

void append(OptimResult more, OptimResult& all) {
  for (const Iteration& iteration : more.history) {
    if (iteration.number > 0 || all.history.empty()) {
      all.history.push_back(Continued::after(iteration, all.iterations, all.evaluations));
    }
  }
  all.iterations += more.iterations;
  all.evaluations += more.evaluations;
  all.x = std::move(more.x);
  all.value = more.value;
  all.gradient_norm = more.gradient_norm;
  all.stop_reason = more.stop_reason;
}

/// Root of the mean square of what targets differ from their mean; 1 if they don't.
double deviation(MatrixView<const double> Y) {
  const double count = static_cast<double>(Y.rows());
  double squares = 0.0;
  for (Index j = 0; j < Y.cols(); ++j) {
    double mean = 0.0;
    for (Index i = 0; i < Y.rows(); ++i) mean += Y(i, j) / count;
    for (Index i = 0; i < Y.rows(); ++i) squares += (Y(i, j) - mean) * (Y(i, j) - mean) / count;
  }
  const double root = std::sqrt(squares);
  return root > 0.0 && std::isfinite(root) ? root : 1.0;
}

}  // namespace

DeepShare::DeepShare(const DeepTask& task, int at_once)
    : layers(make_layers(task, at_once)), features(first_features(task, layers)) {}

std::vector<double> DeepTraining::start(Index which) const {
  Composition layers = share_.layers.sibling();
  return DeepStart(task_, share_.features).make(which, layers);
}

OptimResult DeepTraining::run(Index which, Observer* observer) const {
  std::vector<double> x;
  const double value = infinite_outside([&] {
    x = start(which);
    return 0.0;
  });
  if (std::isfinite(value)) return run(x, observer);
  OptimResult nowhere;
  nowhere.value = value;
  nowhere.stop_reason = StopReason::not_finite;
  return nowhere;
}

OptimResult DeepTraining::run(const std::vector<double>& x, Observer* observer) const {
  const Loss* loss = task_.options.loss;
  if (task_.joint && loss != nullptr && loss->smoothed(1.0) != nullptr) return run_smoothed(x, observer);
  DeepObjective own = objective();
  return minimise(own, task_.options, x, observer);
}

/// Each search begins where the one with the next wider loss has ended, and what one leaves of its iterations is for those behind
/// it. The value is that of the loss itself.
OptimResult DeepTraining::run_smoothed(std::vector<double> x, Observer* observer) const {
  constexpr int searches = 7;  // the last one is a millionth of the targets' deviation wide
  DeepRegressionOptions options = task_.options;
  const DeepTask task{task_.samples, options, task_.layers, task_.thetas, task_.joint};
  double width = deviation(task_.samples.targets());
  OptimResult all;
  for (int k = 0; k < searches; ++k, width *= 0.1) {
    const std::unique_ptr<Loss> smooth = task_.options.loss->smoothed(width);
    options.loss = smooth.get();
    options.max_iterations = (task_.options.max_iterations - all.iterations) / (searches - k);
    DeepObjective own(task, share_.layers.sibling(), share_.features);
    Continued watch(observer, all.iterations, all.evaluations);
    append(minimise(own, options, x, observer == nullptr ? nullptr : &watch), all);
    if (all.stop_reason == StopReason::observer || all.stop_reason == StopReason::not_finite) break;
    x = all.x;
  }
  all.value = objective().evaluate(all.x.data(), nullptr);
  return all;
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
  // Never empty: a first layer whose kernel is 0 on all samples may leave no variable, but has a gradient in its function.
  std::vector<double> gradient(static_cast<std::size_t>(own.size() + 1));
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

std::uint64_t bytes_of_run(Index samples, Index landmarks, const std::vector<Index>& outputs, bool joint) {
  const bool all = landmarks == 0;
  const double n = static_cast<double>(samples), m = static_cast<double>(all ? samples : landmarks);
  double numbers = 8.0 * n * static_cast<double>(outputs.back());
  for (const Index d : outputs) numbers += 64.0 * m * static_cast<double>(d);
  // Tiles, system and packed factor; with landmarks n x m values and a system of m.
  if (!joint) numbers += all ? 2.0 * n * n : n * m + 1.5 * m * m;
  return static_cast<std::uint64_t>(8.0 * numbers);
}

std::uint64_t bytes_of_run(const DeepTask& task) {
  std::vector<Index> outputs;
  for (const KernelLayer& layer : task.layers) outputs.push_back(layer.outputs());
  return bytes_of_run(task.samples.input().size(), static_cast<Index>(task.samples.landmarks().size()), outputs, task.joint);
}

}  // namespace gramian
