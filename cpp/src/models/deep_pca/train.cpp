// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/train.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "gramian/optim/riemannian.hpp"
#include "models/deep_pca/model.hpp"
#include "models/deep_pca/start.hpp"
#include "models/layered/checks.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double closed_form_residual = 1e-6;  ///< |R| relative to the largest eigenvalue

constexpr const char* solver_names[] = {
    "auto", "closed_form", "self_consistent", "riemannian_lbfgs", "riemannian_adam", "projected_gradient", "levelwise"};

template <class One>
bool is(const Solver& solver) {
  return std::holds_alternative<One>(solver);
}

bool from_kpca(const Options& options) { return options.starts == 1 && options.start == Start::kpca; }

void check_options(const std::vector<Level>& levels, const Options& options) {
  require(!levels.empty(), "there must be at least one level");
  require(options.starts >= 1, "starts must be at least 1");
  const std::string name = name_of(options.solver);
  require(!(is<ClosedForm>(options.solver) || is<SelfConsistent>(options.solver)) || has_closed_form(levels),
          name + " is for one level, or linear kernels on all levels but the first");
  const bool levelwise = is<Levelwise>(options.solver);
  for (std::size_t j = 1; j < levels.size() && !levelwise; ++j) {
    // Each sample is beside itself.
    require(levels[j].kernel.traits().smooth_at_coincidence,
            "kernels: that of level " + std::to_string(j + 1) +
                " has no gradient that tells the level below about it; levelwise takes any kernel");
  }
  require(!(is<ClosedForm>(options.solver) || levelwise) || from_kpca(options),
          name + " has no starts to choose from: starts must be 1, and start kpca");
}

/// The closed form has no use for a start; asked for one, the automatic solver optimises.
Solver chosen(const std::vector<Level>& levels, const Options& options) {
  const auto* automatic = std::get_if<Automatic>(&options.solver);
  if (automatic == nullptr) return options.solver;
  if (from_kpca(options) && has_closed_form(levels)) return ClosedForm{};
  return automatic->otherwise;
}

/// Where a start ended.
struct Solution {
  OptimResult result;
  State state;
};

/// What eigenvectors leave of J is rounding, unless they were not found.
StopReason end_of_closed_form(const Solution& found) {
  double scale = 0.0;
  for (const std::vector<double>& values : found.state.eigenvalues) {
    for (const double value : values) scale = std::max(scale, std::fabs(value));
  }
  if (!std::isfinite(found.result.value)) return StopReason::not_finite;
  const bool solved = std::sqrt(2.0 * found.result.value) <= closed_form_residual * scale;
  return solved ? StopReason::gradient : StopReason::max_iterations;
}

class Training {
 public:
  Training(const PointSource& input, const std::vector<Level>& levels, const Options& options, WarmStart warm_start,
           Observer* observer)
      : options_(options),
        warm_start_(warm_start),
        solver_(chosen(levels, options)),
        observer_(observer),
        objective_(input, levels, {options.eigenvalues, options.centred, options.memory_budget, options.weights}),
        manifold_(objective_.manifold()) {
    check_warm_start(warm_start, manifold_.free_offset());
  }

  Fit run();

 private:
  Solution solve(Index start);
  void begin(Index start, double* x);
  OptimResult evaluated(std::vector<double> x);
  OptimResult run(const ClosedForm&, std::vector<double>& x) { return evaluated(std::move(x)); }
  OptimResult run(const Levelwise&, std::vector<double>& x) { return evaluated(std::move(x)); }
  OptimResult run(const SelfConsistent& solver, std::vector<double>& x);
  OptimResult run(const Automatic& solver, std::vector<double>& x) { return run(solver.otherwise, x); }
  OptimResult run(const RiemannianLbfgsOptions& solver, std::vector<double>& x) {
    return riemannian_lbfgs(objective_, manifold_, x.data(), solver, observer_);
  }
  OptimResult run(const RiemannianAdamOptions& solver, std::vector<double>& x) {
    return riemannian_adam(objective_, manifold_, x.data(), solver, observer_);
  }
  OptimResult run(const StiefelDescentOptions& solver, std::vector<double>& x) {
    return stiefel_projected_gradient(objective_, manifold_, x.data(), solver, observer_);
  }
  void finish(Fit& fit, Solution best);

  const Options& options_;
  WarmStart warm_start_;
  Solver solver_;
  Observer* observer_;
  TrainingObjective objective_;
  StiefelProduct manifold_;
};

OptimResult Training::evaluated(std::vector<double> x) {
  OptimResult result;
  result.value = objective_.evaluate(x.data(), nullptr);
  result.x = std::move(x);
  result.stop_reason = StopReason::gradient;
  result.evaluations = 1;
  result.history.push_back({0, result.value, 0.0, 0.0, 1});
  return result;
}

OptimResult Training::run(const SelfConsistent& solver, std::vector<double>& x) {
  OptimResult result = solve_self_consistently(objective_, solver, x.data(), observer_);
  result.x = std::move(x);
  return result;
}

/// Features of all levels where a start begins.
void Training::begin(Index start, double* x) {
  if (start == 0 && warm_start_ && !is<Levelwise>(solver_)) {
    std::copy_n(warm_start_.numbers, warm_start_.size, x);
    const SampleMeasure measure = measure_of(objective_);
    for (Index j = 0; j < manifold_.block_count(); ++j) {
      const MatrixView<double> H = manifold_.block(x, j);
      measure.scale(H, H);
      stiefel_project(H, H);
    }
  } else if (start == 0 && options_.start == Start::kpca) {
    start_by_kpca(objective_, x);
  } else {
    start_at_random(objective_, options_.seed, start, x);
  }
}

Solution Training::solve(Index start) {
  std::vector<double> x(static_cast<std::size_t>(objective_.size()), 0.0);
  const bool closed = is<ClosedForm>(solver_);
  closed ? solve_in_closed_form(objective_, x.data()) : begin(start, x.data());
  set_eigenvalues(objective_, x.data());
  Solution found;
  found.result = std::visit([&](const auto& solver) { return run(solver, x); }, solver_);
  found.state = objective_.describe(found.result.x.data());
  if (closed) found.result.stop_reason = end_of_closed_form(found);
  return found;
}

Fit Training::run() {
  Fit fit;
  fit.solver = solver_;
  Solution best;
  for (Index start = 0; start < options_.starts; ++start) {
    Solution found = solve(start);
    const OptimResult& result = found.result;
    const bool stopped = result.stop_reason == StopReason::observer;
    fit.starts.push_back(
        {result.value, found.state.captured[0] / found.state.kernel_traces[0], result.stop_reason, result.iterations});
    if (start == 0 || result.value < best.result.value) best = std::move(found);
    if (stopped) break;
  }
  finish(fit, std::move(best));
  return fit;
}

void Training::finish(Fit& fit, Solution best) {
  const bool coupled = !is<Levelwise>(solver_);
  fit.result = std::move(best.result);
  fit.state = std::move(best.state);
  fit.model = make_model(objective_, fit.result.x.data(), fit.state, coupled);
  fit.result.x.clear();
  for (const double residual : fit.state.residuals) fit.objective += residual;
  fit.state.eigenvalues = fit.model.eigenvalues;
  fit.state.primal = -fit.state.energy;
  for (const std::vector<double>& values : fit.model.eigenvalues) {
    for (const double value : values) fit.state.primal += 0.5 * value;
  }
  for (std::size_t j = 0; j < fit.model.levels.size(); ++j) {
    std::vector<double> ratio = fit.model.eigenvalues[j];
    const double trace = coupled ? fit.state.level_traces[j] : fit.state.kernel_traces[j] / fit.model.levels[j].eta;
    for (double& value : ratio) value /= trace;
    fit.explained_variance_ratio.push_back(std::move(ratio));
    fit.captured_trace.push_back(fit.state.captured[j] / fit.state.kernel_traces[j]);
  }
}

}  // namespace

const char* name_of(const Solver& solver) { return solver_names[solver.index()]; }

std::vector<std::string> names_of_solvers() { return {std::begin(solver_names), std::end(solver_names)}; }

Solver solver_named(const std::string& name) {
  const Automatic automatic;
  const RiemannianLbfgsOptions& lbfgs = automatic.otherwise;
  RiemannianAdamOptions adam;  // whose values rise and fall
  adam.max_iterations = lbfgs.max_iterations;
  adam.gradient_tolerance = lbfgs.gradient_tolerance;
  const StiefelDescentOptions descent{lbfgs.max_iterations, adam.step, lbfgs.gradient_tolerance, lbfgs.value_tolerance};
  const Solver all[] = {automatic, ClosedForm{}, SelfConsistent{}, lbfgs, adam, descent, Levelwise{}};
  const auto found = std::find(std::begin(solver_names), std::end(solver_names), name);
  require(found != std::end(solver_names), "there is no solver " + name);
  return all[found - std::begin(solver_names)];
}

Fit fit(const PointSource& input, const std::vector<Level>& levels, const Options& options, WarmStart warm_start,
        Observer* observer) {
  check_options(levels, options);
  Training training(input, levels, options, warm_start, observer);
  return training.run();
}

/// [DKPCA] Sec. 2.1: of the objective (5).
double stabilised_objective(double primal, double c) {
  require_positive(c, "c");
  return primal + 0.5 * c * primal * primal;
}

double upper_gamma(double rows, Index components) {
  require(rows > 0.0 && components >= 1, "there must be at least one row and one component");
  return 0.1 * rows / (2.0 * static_cast<double>(components));
}

}  // namespace gramian::deep_pca
