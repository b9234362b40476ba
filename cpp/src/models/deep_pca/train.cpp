// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/train.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/riemannian.hpp"
#include "models/deep_pca/model.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian {
namespace {

constexpr double closed_form_residual = 1e-6;  ///< |R| relative to the largest eigenvalue

constexpr const char* solver_names[] = {"automatic",       "closed_form",        "self_consistent", "riemannian_lbfgs",
                                        "riemannian_adam", "projected_gradient", "levelwise"};

void check_options(const std::vector<DeepPcaLevel>& levels, const DeepPcaOptions& options) {
  require(!levels.empty(), "there must be at least one level");
  require(options.starts >= 1, "starts must be at least 1");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require_positive(options.step, "step");
  const bool eigenproblems = options.solver == DeepPcaSolver::closed_form || options.solver == DeepPcaSolver::self_consistent;
  require(!eigenproblems || has_closed_form(levels),
          std::string(name_of(options.solver)) + " is for one level, or linear kernels on all levels but the first");
  for (std::size_t j = 1; j < levels.size() && options.solver != DeepPcaSolver::levelwise; ++j) {
    // Each sample is beside itself.
    require(levels[j].kernel.traits().smooth_at_coincidence,
            "kernels: that of level " + std::to_string(j + 1) +
                " has no gradient that tells the level below about it; levelwise takes any kernel");
  }
  const bool once = options.solver == DeepPcaSolver::closed_form || options.solver == DeepPcaSolver::levelwise;
  require(!once || (options.starts == 1 && options.start == DeepPcaStart::kpca),
          std::string(name_of(options.solver)) + " has no starts to choose from: starts must be 1, and start kpca");
}

/// The closed form has no use for a start; asked for one, the automatic solver optimises.
DeepPcaSolver chosen(const std::vector<DeepPcaLevel>& levels, const DeepPcaOptions& options) {
  if (options.solver != DeepPcaSolver::automatic) return options.solver;
  const bool from_kpca = options.starts == 1 && options.start == DeepPcaStart::kpca;
  return from_kpca && has_closed_form(levels) ? DeepPcaSolver::closed_form : DeepPcaSolver::riemannian_lbfgs;
}

class Training {
 public:
  Training(const PointSource& input, const std::vector<DeepPcaLevel>& levels, const DeepPcaOptions& options, Observer* observer)
      : options_(options),
        solver_(chosen(levels, options)),
        observer_(observer),
        objective_(input, levels, {options.eigenvalues, options.centred, options.memory_budget}),
        manifold_(objective_.manifold()) {}

  DeepPcaFit run();

 private:
  OptimResult run_start(Index start);
  OptimResult minimise(const double* x);
  OptimResult evaluated(std::vector<double> x);
  OptimResult closed(std::vector<double> x);
  void finish(DeepPcaFit& fit, std::vector<double> x);

  const DeepPcaOptions& options_;
  DeepPcaSolver solver_;
  Observer* observer_;
  DeepPcaObjective objective_;
  StiefelProduct manifold_;
};

OptimResult Training::evaluated(std::vector<double> x) {
  OptimResult result;
  set_eigenvalues(objective_, x.data());
  result.value = objective_.evaluate(x.data(), nullptr);
  result.x = std::move(x);
  result.stop_reason = StopReason::gradient;
  result.evaluations = 1;
  result.history.push_back({0, result.value, 0.0, 0.0, 1});
  return result;
}

/// What eigenvectors leave of J is rounding, unless they were not found.
OptimResult Training::closed(std::vector<double> x) {
  solve_in_closed_form(objective_, x.data());
  OptimResult result = evaluated(std::move(x));
  double scale = 0.0;
  for (const std::vector<double>& values : objective_.describe(result.x.data()).eigenvalues) {
    for (const double value : values) scale = std::max(scale, std::fabs(value));
  }
  if (!std::isfinite(result.value))
    result.stop_reason = StopReason::not_finite;
  else if (std::sqrt(2.0 * result.value) > closed_form_residual * scale)
    result.stop_reason = StopReason::max_iterations;
  return result;
}

OptimResult Training::minimise(const double* x) {
  if (solver_ == DeepPcaSolver::projected_gradient) {
    StiefelDescentOptions options{options_.max_iterations, options_.step, options_.gradient_tolerance, options_.value_tolerance};
    return stiefel_projected_gradient(objective_, manifold_, x, options, observer_);
  }
  if (solver_ == DeepPcaSolver::riemannian_adam) {
    RiemannianAdamOptions options;
    options.max_iterations = options_.max_iterations;
    options.step = options_.step;
    options.gradient_tolerance = options_.gradient_tolerance;
    return riemannian_adam(objective_, manifold_, x, options, observer_);
  }
  RiemannianLbfgsOptions options;
  options.max_iterations = options_.max_iterations;
  options.gradient_tolerance = options_.gradient_tolerance;
  options.value_tolerance = options_.value_tolerance;
  return riemannian_lbfgs(objective_, manifold_, x, options, observer_);
}

OptimResult Training::run_start(Index start) {
  std::vector<double> x(static_cast<std::size_t>(objective_.size()), 0.0);
  if (solver_ == DeepPcaSolver::closed_form) return closed(std::move(x));
  const bool kpca = start == 0 && options_.start == DeepPcaStart::kpca;
  kpca ? start_by_kpca(objective_, x.data()) : start_at_random(objective_, options_.seed, start, x.data());
  set_eigenvalues(objective_, x.data());
  if (solver_ == DeepPcaSolver::levelwise) return evaluated(std::move(x));
  if (solver_ != DeepPcaSolver::self_consistent) return minimise(x.data());
  OptimResult result = solve_self_consistently(objective_, options_, x.data(), observer_);
  result.x = std::move(x);
  return result;
}

DeepPcaFit Training::run() {
  DeepPcaFit fit;
  fit.solver = solver_;
  for (Index start = 0; start < options_.starts; ++start) {
    OptimResult result = run_start(start);
    const bool stopped = result.stop_reason == StopReason::observer;
    const DeepPcaState state = objective_.describe(result.x.data());
    fit.starts.push_back({result.value, state.captured[0] / state.kernel_traces[0], result.stop_reason, result.iterations});
    if (start == 0 || result.value < fit.result.value) fit.result = std::move(result);
    if (stopped) break;
  }
  finish(fit, std::move(fit.result.x));
  fit.result.x.clear();
  return fit;
}

void Training::finish(DeepPcaFit& fit, std::vector<double> x) {
  fit.state = objective_.describe(x.data());
  fit.objective = objective_.evaluate(x.data(), nullptr);
  fit.model = make_deep_pca_model(objective_, x.data(), solver_ != DeepPcaSolver::levelwise);
  fit.state.eigenvalues = fit.model.eigenvalues;
  fit.state.primal = -fit.state.energy;
  for (const std::vector<double>& values : fit.model.eigenvalues) {
    for (const double value : values) fit.state.primal += 0.5 * value;
  }
  for (std::size_t j = 0; j < fit.model.levels.size(); ++j) {
    std::vector<double> ratio = fit.model.eigenvalues[j];
    const bool alone = solver_ == DeepPcaSolver::levelwise;
    const double trace = alone ? fit.state.kernel_traces[j] / fit.model.levels[j].eta : fit.state.level_traces[j];
    for (double& value : ratio) value /= trace;
    fit.explained_variance_ratio.push_back(std::move(ratio));
    fit.captured_trace.push_back(fit.state.captured[j] / fit.state.kernel_traces[j]);
  }
}

}  // namespace

const char* name_of(DeepPcaSolver solver) { return solver_names[static_cast<int>(solver)]; }

DeepPcaFit fit_deep_pca(const PointSource& input, const std::vector<DeepPcaLevel>& levels, const DeepPcaOptions& options,
                        Observer* observer) {
  check_options(levels, options);
  Training training(input, levels, options, observer);
  return training.run();
}

/// [DKPCA] Sec. 2.1: of the objective (5).
double stabilised_objective(double primal, double c) {
  require_positive(c, "c");
  return primal + 0.5 * c * primal * primal;
}

}  // namespace gramian
