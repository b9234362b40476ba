// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/training.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gramian/base/random.hpp"
#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"
#include "layers/stationarity.hpp"
#include "models/autoencoder/alternating.hpp"
#include "models/autoencoder/constraint.hpp"

namespace gramian {
namespace {

/// Starts draw different batches; the first one those of the seed itself.
std::uint64_t seed_of(const AutoencoderOptions& options, Index start) {
  return start == 0 ? options.seed : RandomStream(options.seed).bits(static_cast<std::uint64_t>(start));
}

GradientDescentOptions descent_options(const AutoencoderOptions& options) {
  GradientDescentOptions out;
  out.max_iterations = options.max_iterations;
  out.step = options.step;
  out.gradient_tolerance = options.gradient_tolerance;
  out.value_tolerance = options.value_tolerance;
  return out;
}

/// AdamOptions or SgdOptions.
template <class Options>
Options stochastic_options(const AutoencoderOptions& options, Index start) {
  Options out;
  out.max_iterations = options.max_iterations;
  out.step = options.step;
  out.gradient_tolerance = options.gradient_tolerance;
  out.seed = seed_of(options, start);
  return out;
}

/// Solvers that any objective can be given to.
OptimResult minimise(Objective& objective, const double* x, const AutoencoderOptions& options, Index start, Observer* observer) {
  if (options.solver == AutoencoderSolver::adam) {
    return adam(objective, x, stochastic_options<AdamOptions>(options, start), observer);
  }
  if (options.solver == AutoencoderSolver::gradient_descent) {
    return gradient_descent(objective, x, descent_options(options), observer);
  }
  LbfgsOptions lbfgs_options;
  lbfgs_options.max_iterations = options.max_iterations;
  lbfgs_options.gradient_tolerance = options.gradient_tolerance;
  lbfgs_options.value_tolerance = options.value_tolerance;
  return lbfgs(objective, x, lbfgs_options, observer);
}

Composition make_composition(const AutoencoderTask& task, Index depth) {
  const std::vector<KernelLayer>& layers = task.start.layers();
  CompositionOptions options;
  options.landmarks = task.options.landmarks;
  options.memory_budget = task.options.memory_budget / static_cast<std::uint64_t>(task.at_once);
  return Composition(task.input, std::vector<KernelLayer>(layers.begin(), layers.begin() + depth), std::move(options));
}

/// Layers 1 .. depth of the model, and what they make of the samples, after forward().
void describe_layers(const AutoencoderTask& task, const Composition& layers, const double* x, AutoencoderFit& fit) {
  fit.model.layers = task.start.layers();
  fit.model.landmarks = task.options.landmarks;
  const Index codes = static_cast<Index>(task.start.layers().size()) - 1;
  for (Index l = 1; l <= layers.depth(); ++l) {
    fit.model.coefficients.push_back(Matrix::copy_of(layers.coefficients(x, l)));
    fit.squared_norms.push_back(layers.squared_norm(l));
    if (l > codes) continue;
    fit.outputs.push_back(Matrix::copy_of(layers.output(l)));
    fit.model.supports.push_back(Matrix::copy_of(layers.support(l)));
  }
  fit.last_layer = task.last_layer;
}

class EliminatedTraining final : public AutoencoderTraining {
 public:
  explicit EliminatedTraining(const AutoencoderTask& task)
      : task_(task), inner_(make_composition(task, static_cast<Index>(task.start.layers().size()) - 1)) {}

  OptimResult run(Index start, Observer* observer) override {
    EliminatedObjective objective = make();
    const AutoencoderOptions& options = task_.options;
    const std::vector<double> x = task_.start.inner_coefficients(start);
    if (options.solver != AutoencoderSolver::alternating) return minimise(objective, x.data(), options, start, observer);
    return alternate(
        objective, x.data(),
        {options.max_iterations, options.inner_steps, options.step, options.gradient_tolerance, options.value_tolerance},
        observer);
  }

  void describe(const double* x, AutoencoderFit& fit) override {
    EliminatedObjective objective = make();
    std::vector<double> gradient(static_cast<std::size_t>(objective.size()));
    fit.objective = objective.value_at(x, gradient.data());
    describe_layers(task_, objective.inner(), x, fit);
    const RidgeOutput& last = objective.last();
    fit.model.coefficients.push_back(Matrix::copy_of(last.coefficients()));
    fit.squared_norms.push_back(last.squared_norm());
    fit.distortion = last.distortion();
    fit.jitter = last.jitter();
    // The last layer is the solution of its system: nothing is left of its gradient.
    fit.stationarity = std::sqrt(stationarity_square(task_.input, task_.options.landmarks, objective.inner(), gradient));
  }

 private:
  EliminatedObjective make() const {
    const std::vector<KernelLayer>& layers = task_.start.layers();
    RidgeOutput last(layers.back(), task_.targets, layers[layers.size() - 2].outputs());
    return {inner_.sibling(), std::move(last), !task_.options.landmarks.empty()};
  }

  AutoencoderTask task_;
  Composition inner_;
};

class JointTraining final : public AutoencoderTraining {
 public:
  explicit JointTraining(const AutoencoderTask& task)
      : task_(task),
        layers_(make_composition(task, static_cast<Index>(task.start.layers().size()))),
        squared_(squared_loss()),
        loss_(task.options.loss == nullptr ? *squared_ : *task.options.loss) {}

  OptimResult run(Index start, Observer* observer) override {
    const AutoencoderOptions& options = task_.options;
    JointObjective objective(layers_.sibling(), task_.targets, loss_, {options.batch_size, options.coefficient_fraction});
    const std::vector<double> x = coefficients(objective.layers(), start);
    if (!options.max_norm.empty()) {
      ConstrainedObjective constrained(objective, options.max_norm);
      NormBalls balls(objective.layers(), options.max_norm);
      return projected_gradient(constrained, balls, x.data(), descent_options(options), observer);
    }
    if (options.solver == AutoencoderSolver::sgd) {
      return sgd(objective, x.data(), stochastic_options<SgdOptions>(options, start), observer);
    }
    if (options.batch_size > 0 || options.coefficient_fraction < 1.0) {
      return stochastic_adam(objective, x.data(), stochastic_options<AdamOptions>(options, start), observer);
    }
    return minimise(objective, x.data(), options, start, observer);
  }

  void describe(const double* x, AutoencoderFit& fit) override {
    JointObjective objective(layers_.sibling(), task_.targets, loss_);
    std::vector<double> gradient(static_cast<std::size_t>(objective.size()));
    if (task_.options.max_norm.empty()) {
      fit.objective = objective.value_at(x, gradient.data());
    } else {
      ConstrainedObjective constrained(objective, task_.options.max_norm);
      fit.objective = constrained.value_at(x, gradient.data());
      fit.multipliers = constrained.multipliers();
    }
    describe_layers(task_, objective.layers(), x, fit);
    fit.distortion = objective.mean_loss();
    fit.stationarity = std::sqrt(stationarity_square(task_.input, task_.options.landmarks, objective.layers(), gradient));
  }

 private:
  std::vector<double> coefficients(Composition& layers, Index start) const {
    const std::size_t count = static_cast<std::size_t>(layers.coefficient_count());
    if (start == 0 && task_.warm_start != nullptr) return {task_.warm_start, task_.warm_start + count};
    std::vector<double> x = task_.start.inner_coefficients(start);
    x.resize(count, 0.0);
    task_.start.solve_last(layers, task_.targets, x.data());
    return x;
  }

  AutoencoderTask task_;
  Composition layers_;
  std::unique_ptr<Loss> squared_;
  const Loss& loss_;
};

}  // namespace

std::unique_ptr<AutoencoderTraining> make_training(const AutoencoderTask& task) {
  if (task.last_layer == LastLayer::eliminated) return std::make_unique<EliminatedTraining>(task);
  return std::make_unique<JointTraining>(task);
}

std::uint64_t bytes_of_run(const PointSource& input, MatrixView<const double> targets, const AutoencoderOptions& options,
                           LastLayer last_layer) {
  const bool all = options.landmarks.empty();
  const double n = static_cast<double>(input.size()), m = all ? n : static_cast<double>(options.landmarks.size());
  double numbers = 8.0 * n * static_cast<double>(targets.cols());
  // Tiles, system and packed factor; with landmarks n x m values and a system of m.
  if (last_layer == LastLayer::eliminated) numbers += all ? 2.0 * n * n : n * m + 1.5 * m * m;
  return static_cast<std::uint64_t>(8.0 * numbers);
}

}  // namespace gramian
