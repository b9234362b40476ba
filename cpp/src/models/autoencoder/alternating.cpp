// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/alternating.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stage.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "optim/result_fields.hpp"

namespace gramian::autoencoder {
namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr int most_halvings = 60;

class Alternation {
 public:
  Alternation(LayeredObjective& objective, const double* start, const AlternatingOptions& options)
      : objective_(objective), options_(options), gradient_(static_cast<std::size_t>(objective.size())), direction_(gradient_) {
    result_.x.assign(start, start + objective.size());
    steps_.assign(static_cast<std::size_t>(objective.layers().depth()), options.step);
  }

  OptimResult run(Observer* observer);

 private:
  void solve(Index epoch);
  bool descend(Index l);
  bool epoch(Index number, Observer* observer);
  bool over(Index epoch, bool moved, double last_value, bool wanted);
  bool goes_on_after_stop();

  LayeredObjective& objective_;
  const AlternatingOptions& options_;
  OptimResult result_;
  std::vector<double> gradient_, direction_, trial_, steps_;
};

/// [KAE] Alg. 1: the end of an epoch, a solve for the outer layer.
void Alternation::solve(Index epoch) {
  result_.value = objective_.evaluate(result_.x.data(), gradient_.data());
  ++result_.evaluations;
  result_.gradient_norm = 0.0;
  for (const double entry : gradient_) result_.gradient_norm = std::max(result_.gradient_norm, std::fabs(entry));
  result_.iterations = epoch;
  const double step = *std::min_element(steps_.begin(), steps_.end());
  result_.history.push_back(
      {epoch, result_.value, result_.gradient_norm, epoch == 0 ? 0.0 : step, result_.evaluations, result_.evaluations});
}

/// [KAE] Alg. 1: one gradient step of layer l with the outer layer held. Whether one was found.
bool Alternation::descend(Index l) {
  Composition& inner = objective_.layers();
  const double value = objective_.evaluate_held(result_.x.data(), gradient_.data());
  ++result_.evaluations;
  if (!std::isfinite(value)) return false;
  inner.function_gradient(direction_.data());
  const MatrixView<const double> G = inner.coefficients(std::as_const(direction_).data(), l);
  const MatrixView<const double> slopes = inner.coefficients(std::as_const(gradient_).data(), l);
  double slope = 0.0;  // <G, K G A>, the squared length of G in the space of f_l
  for (Index i = 0; i < G.rows(); ++i) {
    for (Index j = 0; j < G.cols(); ++j) slope += G(i, j) * slopes(i, j);
  }
  if (!(slope > 0.0)) return false;
  double& step = steps_[static_cast<std::size_t>(l - 1)];
  const double tried = step;
  for (int halvings = 0; halvings < most_halvings; ++halvings, step *= 0.5) {
    trial_ = result_.x;
    const MatrixView<double> Phi = inner.coefficients(trial_.data(), l);
    for (Index i = 0; i < G.rows(); ++i) {
      for (Index j = 0; j < G.cols(); ++j) Phi(i, j) -= step * G(i, j);
    }
    const double fallen = objective_.evaluate_held(trial_.data(), nullptr);
    ++result_.evaluations;
    if (!(fallen <= value - sufficient_decrease * step * slope && fallen < value)) continue;
    result_.x.swap(trial_);
    if (step == tried) step *= 2.0;
    return true;
  }
  step = tried;
  return false;
}

bool Alternation::over(Index epoch, bool moved, double last_value, bool wanted) {
  const double scale = std::max(std::fabs(last_value), std::fabs(result_.value));
  if (!std::isfinite(result_.value)) {
    result_.stop_reason = StopReason::not_finite;
  } else if (result_.gradient_norm <= options_.gradient_tolerance) {
    result_.stop_reason = StopReason::gradient;
  } else if (!moved) {
    result_.stop_reason = StopReason::line_search;
  } else if (options_.value_tolerance > 0.0 && last_value - result_.value <= options_.value_tolerance * scale) {
    result_.stop_reason = StopReason::value;
  } else if (!wanted) {
    result_.stop_reason = StopReason::observer;
  } else if (epoch >= options_.max_iterations) {
    result_.stop_reason = StopReason::max_iterations;
  } else {
    return false;
  }
  return true;
}

/// [KAE] Alg. 1: whether to go on.
bool Alternation::epoch(Index number, Observer* observer) {
  const double last_value = result_.value;
  objective_.hold_last();
  bool moved = false;
  for (Index l = 1; l <= objective_.layers().depth(); ++l) {
    for (Index s = 0; s < options_.inner_steps; ++s) moved = descend(l) || moved;
  }
  solve(number);
  const bool wanted = observer == nullptr || observer->observe(result_.history.back(), result_.x.data());
  return !over(number, moved, last_value, wanted);
}

/// Of the state of an earlier process: the objective is at x again, with the outer layer that belongs to it.
bool Alternation::goes_on_after_stop() {
  result_.stop_reason = StopReason::max_iterations;
  objective_.evaluate(result_.x.data(), gradient_.data());
  return result_.iterations < options_.max_iterations;
}

OptimResult Alternation::run(Observer* observer) {
  Stage stage(
      observer, [this](SnapshotFields& state) { optim_detail::fields(state, result_); },
      [this](SnapshotFields& state) { state("steps", steps_); });
  if (stage.has_ended()) return std::move(result_);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();  // is near no other
  bool more = true;
  if (stage.resumes()) {
    more = goes_on_after_stop();
  } else {
    solve(0);
    more = !over(0, true, none, true);
  }
  while (more) {
    poll_stop();
    more = epoch(result_.iterations + 1, observer);
    if (more) stage.keep(result_.iterations);
  }
  result_.stop_reason == StopReason::observer ? stage.stop() : stage.end();
  return std::move(result_);
}

}  // namespace

OptimResult alternate(LayeredObjective& objective, const double* start, const AlternatingOptions& options, Observer* observer) {
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(std::isfinite(options.step) && options.step > 0.0, "step must be a finite number greater than 0");
  return Alternation(objective, start, options).run(observer);
}

}  // namespace gramian::autoencoder
