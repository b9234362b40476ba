// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/optim/riemannian.hpp"
#include "optim/lbfgs_pairs.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

constexpr int most_trials = 40;
constexpr double first_length = 1e-2;  ///< of a step, while nothing is known of the scale; columns have length 1
constexpr double most_length = 2.0;    ///< further away a retraction has little to do with the tangent

class RiemannianLbfgs final : public Method {
 public:
  RiemannianLbfgs(Objective& objective, StiefelProduct& manifold, Course& course, const RiemannianLbfgsOptions& options,
                  const double* start)
      : objective_(objective),
        manifold_(manifold),
        course_(course),
        options_(options),
        point_(start, objective.size()),
        trial_(objective.size()),
        direction_(point_.x.size()),
        step_(point_.x.size()),
        pairs_(objective.size(), options.memory) {}

  bool begin() override;
  bool step(Index number) override;
  void fields(SnapshotFields& state) override {
    point_.fields(state, "point");
    pairs_.fields(state);
  }

 private:
  void evaluate(Point& point);
  double aim();
  bool search(double slope, double& length);
  bool move(double& length);

  Objective& objective_;
  StiefelProduct& manifold_;
  Course& course_;
  const RiemannianLbfgsOptions& options_;
  Point point_;  ///< with the Riemannian gradient
  Point trial_;
  Numbers direction_;
  Numbers step_;
  Pairs pairs_;
};

void RiemannianLbfgs::evaluate(Point& point) {
  course_.evaluate(point);
  if (!point.finite()) return;
  manifold_.tangent(point.x.data(), point.gradient.data(), point.gradient.data());
  point.gradient_norm = largest_magnitude(point.gradient.data(), size_of(point.gradient));
}

/// The direction -P H g, whose slope is returned. H is positive definite in the space around, so it leads down: <P H g, g> =
/// <H g, g> for a tangent g.
double RiemannianLbfgs::aim() {
  const Index n = size_of(direction_);
  std::copy(point_.gradient.begin(), point_.gradient.end(), direction_.begin());
  pairs_.apply(direction_.data());
  manifold_.tangent(point_.x.data(), direction_.data(), direction_.data());
  multiply(-1.0, direction_.data(), n);
  return dot(direction_.data(), point_.gradient.data(), n);
}

/// Armijo's rule along the retraction, with quadratic interpolation.
bool RiemannianLbfgs::search(double slope, double& length) {
  const Index n = size_of(direction_);
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::fabs(point_.value);
  for (int i = 0; i < most_trials; ++i) {
    for (Index k = 0; k < n; ++k) step_[static_cast<std::size_t>(k)] = length * direction_[static_cast<std::size_t>(k)];
    manifold_.retract(point_.x.data(), step_.data(), StiefelRetraction::polar, trial_.x.data());
    const double value = objective_.evaluate(trial_.x.data(), nullptr);
    course_.count_value();
    if (value <= point_.value + options_.sufficient_decrease * length * slope && value < point_.value) {
      evaluate(trial_);
      if (trial_.finite()) return true;
    }
    if (-length * slope <= rounding) return false;
    const double over = value - point_.value - length * slope;
    const double best = std::isfinite(over) && over > 0.0 ? -0.5 * slope * length * length / over : 0.0;
    length = std::clamp(best, 0.1 * length, 0.5 * length);
  }
  return false;
}

bool RiemannianLbfgs::move(double& length) {
  for (;;) {
    const double slope = aim();
    const double size = std::sqrt(dot(direction_.data(), direction_.data(), size_of(direction_)));
    length = !pairs_.known() ? first_length / size : std::min(1.0, most_length / size);
    if (slope < 0.0 && std::isfinite(slope) && search(slope, length)) return true;
    if (!pairs_.known()) return false;
    pairs_.forget();
  }
}

bool RiemannianLbfgs::begin() {
  manifold_.project(point_.x.data());
  evaluate(point_);
  return course_.begin(point_);
}

bool RiemannianLbfgs::step(Index number) {
  double length = 0.0;
  if (!move(length)) return course_.stop(StopReason::line_search);
  pairs_.add(point_, trial_);
  std::swap(point_, trial_);
  return course_.advance(number, point_, length);
}

}  // namespace

OptimResult riemannian_lbfgs(Objective& objective, StiefelProduct& manifold, const double* start,
                             const RiemannianLbfgsOptions& options, Observer* observer) {
  require(options.memory >= 1, "memory must be at least 1");
  require(0.0 < options.sufficient_decrease && options.sufficient_decrease < 0.5,
          "sufficient_decrease must be greater than 0 and less than 1/2");
  require(objective.size() == manifold.size(), "the manifold and the objective must have the same size");
  Course course(objective, limits_of(options), observer);
  require_vectors(2 * std::min(options.memory, options.max_iterations) + 8, objective.size(),
                  "lower memory, the number of pairs that are kept");
  RiemannianLbfgs method(objective, manifold, course, options, start);
  return course.run(method);
}

OptimResult RiemannianLbfgsOptions::minimise(const Task& task, StiefelProduct& manifold) const {
  return riemannian_lbfgs(task.objective, manifold, task.start, *this, task.observer);
}

}  // namespace gramian
