// SPDX-License-Identifier: BSD-3-Clause
#include "optim/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gramian::optim_detail {
namespace {

constexpr int most_expansions = 40;
constexpr int most_zooms = 60;
constexpr int enough_zooms = 20;            ///< with a step in hand: the next direction is worth more than its slope
constexpr double shortest_expansion = 1.1;  ///< of the step, by extrapolation
constexpr double longest_expansion = 10.0;
constexpr double margin = 0.1;        ///< of a bracket, at both ends, that interpolation stays out of
constexpr double slow_shrink = 0.66;  ///< a bracket that keeps more than this of its length in two trials is halved
constexpr double retreat = 0.1;       ///< of a bracket, where its end is out of the domain

/// The minimiser of the cubic with these values and slopes at a and b, [NW] (3.59); NaN if it has none.
double cubic_minimum(double a, double value_a, double slope_a, double b, double value_b, double slope_b) {
  const double d1 = slope_a + slope_b - 3.0 * (value_a - value_b) / (a - b);
  const double square = d1 * d1 - slope_a * slope_b;
  if (!(square >= 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double d2 = std::copysign(std::sqrt(square), b - a);
  return b - (b - a) * (slope_b + d2 - d1) / (slope_b - slope_a + 2.0 * d2);
}

}  // namespace

LineSearch::LineSearch(Course& course, Index n, double sufficient_decrease, double curvature)
    : course_(course), sufficient_decrease_(sufficient_decrease), curvature_(curvature), trial_(n), best_(n) {}

bool LineSearch::move(Point& point, const Numbers& direction, double slope, double& step) {
  start_ = &point;
  direction_ = &direction;
  start_slope_ = slope;
  low_ = {0.0, point.value, slope, true};
  if (!expand(step) && low_.step == 0.0) return false;
  std::swap(point, best_);
  step = low_.step;
  return true;
}

LineSearch::Trial LineSearch::evaluate(double step) {
  const Index n = size_of(trial_.x);
  step_along(start_->x.data(), step, direction_->data(), trial_.x.data(), n);
  course_.evaluate(trial_);
  const double slope = dot(trial_.gradient.data(), direction_->data(), n);
  return {step, trial_.value, slope, trial_.finite() && std::isfinite(slope)};
}

/// Enough decrease is asked to be a decrease in the numbers as they are rounded, too.
LineSearch::Verdict LineSearch::judge(const Trial& trial) const {
  const double bound = start_->value + sufficient_decrease_ * trial.step * start_slope_;
  const bool enough = trial.finite && trial.value <= bound && trial.value < start_->value;
  if (!enough || (low_.step > 0.0 && trial.value >= low_.value)) return Verdict::too_far;
  if (std::fabs(trial.slope) <= -curvature_ * start_slope_) return Verdict::accepted;
  return trial.slope >= 0.0 ? Verdict::beyond_minimum : Verdict::too_short;
}

void LineSearch::take_as_low(const Trial& trial) {
  low_ = trial;
  std::swap(best_, trial_);
}

/// [NW] Alg. 3.5: longer steps until a minimum lies between two of them.
bool LineSearch::expand(double step) {
  for (int i = 0; i < most_expansions && course_.may_evaluate(); ++i) {
    const Trial before = low_, trial = evaluate(step);
    const Verdict verdict = judge(trial);
    if (verdict == Verdict::too_far) return zoom(trial);
    take_as_low(trial);
    if (verdict == Verdict::accepted) return true;
    if (verdict == Verdict::beyond_minimum) return zoom(before);
    const double guess = cubic_minimum(before.step, before.value, before.slope, trial.step, trial.value, trial.slope);
    const double shortest = shortest_expansion * step, longest = longest_expansion * step;
    step = guess > trial.step ? std::clamp(guess, shortest, longest) : longest;
  }
  return false;
}

/// Whether what may be won between low_ and the other end is more than the rounding of the values.
bool LineSearch::resolvable(const Trial& high) const {
  const double width = std::fabs(high.step - low_.step), unit = std::numeric_limits<double>::epsilon();
  return std::fabs(low_.slope) * width > unit * std::fabs(low_.value) && width > unit * std::max(low_.step, high.step);
}

/// [NW] Alg. 3.6: between low_ and high there is a step that satisfies the conditions, if the function is smooth.
bool LineSearch::zoom(Trial high) {
  double width_before = std::numeric_limits<double>::infinity(), width_last = width_before;
  for (int i = 0; i < (low_.step > 0.0 ? enough_zooms : most_zooms) && course_.may_evaluate() && resolvable(high); ++i) {
    const double width = high.step - low_.step;  // negative if high is the shorter one
    double share = high.finite
                       ? (cubic_minimum(low_.step, low_.value, low_.slope, high.step, high.value, high.slope) - low_.step) / width
                       : retreat;
    share = std::isnan(share) || std::fabs(width) > slow_shrink * width_before ? 0.5 : std::clamp(share, margin, 1.0 - margin);
    width_before = std::exchange(width_last, std::fabs(width));
    const Trial before = low_, trial = evaluate(low_.step + share * width);
    const Verdict verdict = judge(trial);
    if (verdict == Verdict::too_far) {
      high = trial;
      continue;
    }
    take_as_low(trial);
    if (verdict == Verdict::accepted) return true;
    if (trial.slope * width >= 0.0) high = before;
  }
  return false;
}

}  // namespace gramian::optim_detail
