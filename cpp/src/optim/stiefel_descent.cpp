// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/riemannian.hpp"
#include "optim/course.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

constexpr int most_halvings = 200;
constexpr double growth = 1.5;

/// [DKPCA] Alg. 1: for any objective on a product of Stiefel manifolds and numbers.
class StiefelDescent final : public Method {
 public:
  StiefelDescent(Objective& objective, StiefelProduct& manifold, Course& course, const double* start, double step)
      : objective_(objective),
        manifold_(manifold),
        course_(course),
        step_(step),
        point_(start, objective.size()),
        trial_(objective.size()),
        moved_(point_.x.size()),
        probe_(point_.x.size()) {}

  bool begin() override;
  bool step(Index number) override;
  void fields(SnapshotFields& state) override {
    state("step", step_);
    point_.fields(state, "point");
  }

 private:
  void project_step(double step, Numbers& to);
  double stationarity();
  bool backtrack();

  Objective& objective_;
  StiefelProduct& manifold_;
  Course& course_;
  double step_;
  Point point_;
  Point trial_;
  Numbers moved_;  ///< trial - point
  Numbers probe_;
};

/// [DKPCA] Alg. 1, lines 10-11: all variables, and the projection of those on a manifold.
void StiefelDescent::project_step(double step, Numbers& to) {
  const Index n = size_of(point_.x);
  step_along(point_.x.data(), -step, point_.gradient.data(), to.data(), n);
  manifold_.project(to.data());
  difference(to.data(), point_.x.data(), moved_.data(), n);
}

/// [DKPCA] Alg. 1, line 12: what the last step has moved, over its length. The manifold is bounded, so that with a long step this
/// is small anywhere; then it is that of a step no longer than the manifold is wide.
double StiefelDescent::stationarity() {
  const double steepest = largest_magnitude(point_.gradient.data(), size_of(point_.gradient));
  const double step = steepest * step_ > 1.0 ? 1.0 / steepest : step_;
  if (step < step_) project_step(step, probe_);
  return largest_magnitude(moved_.data(), size_of(moved_)) / step;
}

/// The projected point is the nearest one to x - step g, so <g, d> + |d|^2 / (2 step) <= 0: values never rise.
bool StiefelDescent::backtrack() {
  const Index n = size_of(point_.x);
  for (int i = 0; i < most_halvings; ++i, step_ *= 0.5) {
    project_step(step_, trial_.x);
    const double slope = dot(point_.gradient.data(), moved_.data(), n);
    const double expected = slope + dot(moved_.data(), moved_.data(), n) / (2.0 * step_);
    // What is below the rounding of the value can't be seen.
    if (!(-slope > std::numeric_limits<double>::epsilon() * std::fabs(point_.value))) return false;
    const double value = objective_.evaluate(trial_.x.data(), nullptr);
    course_.count_value();
    if (!(value <= point_.value + expected)) continue;
    course_.evaluate(trial_);
    if (trial_.finite()) return true;
  }
  return false;
}

bool StiefelDescent::begin() {
  manifold_.project(point_.x.data());
  course_.evaluate(point_);
  if (point_.finite()) {
    project_step(step_, trial_.x);
    point_.gradient_norm = stationarity();
  }
  return course_.begin(point_);
}

bool StiefelDescent::step(Index number) {
  if (!backtrack()) return course_.stop(StopReason::line_search);
  trial_.gradient_norm = stationarity();
  std::swap(point_, trial_);
  const bool more = course_.advance(number, point_, step_);
  step_ *= growth;
  return more;
}

}  // namespace

OptimResult stiefel_projected_gradient(Objective& objective, StiefelProduct& manifold, const double* start,
                                       const StiefelDescentOptions& options, Observer* observer) {
  require_positive(options.step, "step");
  require(objective.size() == manifold.size(), "the manifold and the objective must have the same size");
  Course course(objective, limits_of(options), observer);
  require_vectors(7, objective.size(), "use fewer samples");
  StiefelDescent descent(objective, manifold, course, start, options.step);
  return course.run(descent);
}

OptimResult StiefelDescentOptions::minimise(const Task& task, StiefelProduct& manifold) const {
  return stiefel_projected_gradient(task.objective, manifold, task.start, *this, task.observer);
}

}  // namespace gramian
