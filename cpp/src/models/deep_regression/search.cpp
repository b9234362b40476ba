// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/search.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "optim/continued.hpp"

namespace gramian::deep_regression {
namespace {

using optim_detail::Continued;
using Solver = decltype(Options::solver);

OptimResult run(LayeredObjective& objective, const std::vector<double>& x, const Solver& solver, Observer* observer) {
  return std::visit([&](const auto& options) { return options.minimise({objective, x.data(), observer}); }, solver);
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

OptimResult search(const LayeredTask& task, const LayeredShare& share, const Options& options, LayeredObjective& objective,
                   const std::vector<double>& x, Observer* observer) {
  if (!task.joint || task.loss->smoothed(1.0) == nullptr) return run(objective, x, options.solver, observer);
  constexpr int searches = 7;  // the last one is a millionth of the targets' deviation wide
  Solver solver = options.solver;
  LayeredTask smooth = task;
  double width = deviation(task.targets);
  OptimResult all;
  all.x = x;
  for (int k = 0; k < searches; ++k, width *= 0.1) {
    smooth.loss = task.loss->smoothed(width);
    const auto share_of = [&](const auto& whole) { return (whole.max_iterations - all.iterations) / (searches - k); };
    const Index few = std::visit(share_of, options.solver);
    std::visit([&](auto& own) { own.max_iterations = few; }, solver);
    LayeredObjective own = share.objective(smooth);
    std::optional<Continued> watch;
    if (observer != nullptr) watch.emplace(*observer, all);
    optim_detail::append(run(own, all.x, solver, watch ? &*watch : nullptr), all);
    if (all.stop_reason == StopReason::observer || all.stop_reason == StopReason::not_finite) break;
  }
  std::vector<double> gradient(all.x.size());
  all.value = objective.evaluate(all.x.data(), gradient.data());
  return all;
}

}  // namespace gramian::deep_regression
