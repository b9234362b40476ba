// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <variant>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/optim/restarts.hpp"
#include "models/deep_regression/options.hpp"
#include "models/deep_regression/folds.hpp"
#include "models/deep_regression/search.hpp"
#include "models/deep_regression/start.hpp"
#include "models/layered/restarts.hpp"

namespace gramian::deep_regression {
namespace {

void check_penalties(const std::vector<double>& penalties, const char* name) {
  require(!penalties.empty(), std::string(name) + " is empty");
  for (const double penalty : penalties) {
    require(std::isfinite(penalty) && penalty > 0.0, std::string(name) + " must hold finite numbers greater than 0");
  }
}

/// Places of the penalties, the largest first.
std::vector<std::size_t> descending(const std::vector<double>& penalties) {
  std::vector<std::size_t> order(penalties.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return penalties[a] > penalties[b]; });
  return order;
}

/// One fit after the other from the largest last penalty on, each from where the one before ended. What breaks down has an
/// infinite loss.
void walk(const Fold& fold, const Grid& grid, const Options& options, double inner_penalty, Observer* observer, double* losses) {
  std::optional<std::vector<double>> x;
  for (const std::size_t at : descending(grid.last_penalties)) {
    const LayeredTask task = fold.task(grid.last_penalties[at], inner_penalty);
    losses[at] = std::numeric_limits<double>::infinity();
    try {
      if (!fold.trains()) {
        losses[at] = fold.loss(single_layer(task).model);
        continue;
      }
      const Starts start(task, options, fold.share().features);
      Restarts restarts(task, fold.share(), max_workers(), observer,
                        [&](LayeredObjective& objective, const std::vector<double>& from, Index, Observer* watch) {
                          return search(task, fold.share(), options, objective, from, watch);
                        });
      restarts.run(x ? 1 : options.restarts,
                   [&](Index which, Composition& layers) { return x ? x : start.try_make(which, layers); });
      if (!std::isfinite(restarts.best().value)) continue;
      x = restarts.best().x;
      losses[at] = fold.loss(restarts.finish().model);
    } catch (const NumericalError&) {
    }
  }
}

/// The same, once for all processes that work on it.
void walk_once(const Fold& fold, const Grid& grid, const Options& options, double inner_penalty, Observer* observer,
               CheckpointPart part, double* losses) {
  std::vector<double> found(grid.last_penalties.size());
  if (const std::optional<Snapshot> kept = part.result()) {
    SnapshotFields fields(*kept);
    fields("losses", found);
    std::copy(found.begin(), found.end(), losses);
    return;
  }
  Checkpointed watch(observer, part);
  walk(fold, grid, options, inner_penalty, observer != nullptr ? &watch : nullptr, losses);
  if (!part) return;
  std::copy_n(losses, found.size(), found.begin());
  Snapshot state;
  SnapshotFields fields(state);
  fields("losses", found);
  part.end(std::move(state));
}

/// [DKL] Sec. 4.2.2: the pair of penalties with the smallest loss of held-out samples.
void choose(const Grid& grid, Validation& out) {
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t i : descending(grid.last_penalties)) {
    for (const std::size_t j : descending(grid.inner_penalties)) {
      const double error = out.errors(static_cast<Index>(i), static_cast<Index>(j));
      if (!(error < best)) continue;
      best = error;
      out.last_penalty = grid.last_penalties[i];
      out.inner_penalty = grid.inner_penalties[j];
    }
  }
  if (std::isfinite(best)) return;
  throw NumericalError("no pair of penalties can be fitted in all folds: try larger ones");
}

std::vector<LayerPlan> decided(const PointSource& input, MatrixView<const double> targets, std::vector<LayerPlan> layers,
                               const Options& options) {
  const DistinctSamples samples(input, targets, layers, options);
  const std::vector<KernelLayer> kernels = decided_layers(samples, layers, options);
  for (std::size_t l = 0; l < layers.size(); ++l) layers[l].terms = kernels[l].terms;
  return layers;
}

}  // namespace

Options options_of_a_choice(Options options) {
  options.restarts = std::max<Index>(1, options.restarts / 4);
  options.refined_share = 0.0;
  const auto shorten = [](auto& solver) {
    solver.max_iterations = std::min<Index>(solver.max_iterations, 100);
    // That values of Adam come to rest is no reason to stop.
    if constexpr (!std::is_same_v<std::decay_t<decltype(solver)>, AdamOptions>) {
      solver.value_tolerance = std::max(solver.value_tolerance, 1e-5);
    }
  };
  std::visit(shorten, options.solver);
  return options;
}

Validation validate(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                    const Options& options, const Grid& grid, Observer* observer) {
  require(std::holds_alternative<Regression>(options.mode), "interpolation has no penalties to choose");
  check_penalties(grid.last_penalties, "last_penalties");
  check_penalties(grid.inner_penalties, "inner_penalties");
  require(observer == nullptr || observer->concurrent(), "several threads ask the observer of a validation");
  std::vector<LayerPlan> with_penalties = layers;
  for (LayerPlan& layer : with_penalties) layer.penalty = 1.0;
  const bool joint = checked_joint(input, targets, with_penalties, options);
  with_penalties = decided(input, targets, std::move(with_penalties), options);

  std::vector<std::unique_ptr<Fold>> folds;
  for (const std::vector<Index>& rows : test_rows_of(grid, input.size(), options.seed)) {
    folds.push_back(std::make_unique<Fold>(input, targets, with_penalties, options, rows, joint, max_workers()));
  }
  const Index pairs = static_cast<Index>(grid.last_penalties.size()), inner = static_cast<Index>(grid.inner_penalties.size());
  const Index count = static_cast<Index>(folds.size());
  Matrix losses(count * inner, pairs);
  const CheckpointPart whole = observer != nullptr ? observer->checkpoint().next() : CheckpointPart();
  run_restarts(count * inner, [&](Index task) {
    const auto j = static_cast<std::size_t>(task % inner);
    walk_once(*folds[static_cast<std::size_t>(task / inner)], grid, options, grid.inner_penalties[j], observer,
              whole.part("walk " + std::to_string(task)), &losses(task, 0));
    return OptimResult();
  });
  Validation out;
  out.errors = Matrix::filled(pairs, inner, 0.0);
  double weight = 0.0;
  for (const std::unique_ptr<Fold>& fold : folds) weight += fold->weight();
  out.fold_errors = Matrix(count, pairs * inner);
  for (Index task = 0; task < count * inner; ++task) {
    const Index fold = task / inner, j = task % inner;
    const double own = folds[static_cast<std::size_t>(fold)]->weight();
    for (Index i = 0; i < pairs; ++i) {
      out.errors(i, j) += losses(task, i) / weight;
      out.fold_errors(fold, i * inner + j) = losses(task, i) / own;
    }
  }
  choose(grid, out);
  return out;
}

}  // namespace gramian::deep_regression
