// SPDX-License-Identifier: BSD-3-Clause
#include "optim/course.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"

namespace gramian::optim_detail {

bool Point::finite() const { return std::isfinite(value) && std::isfinite(gradient_norm); }

Course::Course(Objective& objective, const Limits& limits, Observer* observer)
    : objective_(objective), limits_(limits), observer_(observer) {
  require(limits.max_iterations >= 0, "max_iterations must not be negative");
  require(limits.max_evaluations >= 0, "max_evaluations must not be negative: 0 sets no limit");
  require_not_negative(limits.gradient_tolerance, "gradient_tolerance");
  require_not_negative(limits.value_tolerance, "value_tolerance");
}

void Course::evaluate(Point& point) {
  point.evaluation = ++result_.evaluations;
  point.value = objective_.evaluate(point.x.data(), point.gradient.data());
  point.gradient_norm = largest_magnitude(point.gradient.data(), size_of(point.gradient));
}

void Course::estimate(StochasticObjective& objective, std::uint64_t seed, Index t, Point& point) {
  point.evaluation = ++result_.evaluations;
  point.value = objective.sample(point.x.data(), seed, static_cast<std::uint64_t>(t), point.gradient.data());
  point.gradient_norm = largest_magnitude(point.gradient.data(), size_of(point.gradient));
}

void Course::record(Index number, const Point& point, double step) {
  result_.iterations = number;
  result_.history.push_back({number, point.value, point.gradient_norm, step, result_.evaluations, point.evaluation});
}

void Course::keep(const Point& point) {
  result_.x = point.x;
  result_.value = point.value;
  result_.gradient_norm = point.gradient_norm;
}

bool Course::begin(const Point& start) {
  record(0, start, 0.0);
  keep(start);
  if (!start.finite()) return stop(StopReason::not_finite), false;
  constexpr double no_value = std::numeric_limits<double>::quiet_NaN();  // is near none
  return !over(0, start, no_value, true);
}

bool Course::advance(Index number, const Point& point, double step) {
  const double last_value = result_.history.back().value;
  record(number, point, step);
  if (point.finite() && point.value <= result_.value) keep(point);
  const bool wanted = observer_ == nullptr || observer_->observe(result_.history.back(), point.x.data());
  return !over(number, point, last_value, wanted);
}

/// The reasons in the order in which they count: to have converged comes first.
bool Course::over(Index number, const Point& point, double last_value, bool wanted) {
  const double scale = std::max(std::fabs(last_value), std::fabs(point.value));
  if (!point.finite()) {
    stop(StopReason::not_finite);
  } else if (!limits_.estimates && point.gradient_norm <= limits_.gradient_tolerance) {
    keep(point);  // a method whose values may rise has been a little lower, but this is the point that the reason is true of
    stop(StopReason::gradient);
  } else if (limits_.value_tolerance > 0.0 && std::fabs(last_value - point.value) <= limits_.value_tolerance * scale) {
    stop(StopReason::value);
  } else if (!wanted) {
    stop(StopReason::observer);
  } else if (!may_evaluate()) {
    stop(StopReason::max_evaluations);
  } else if (number >= limits_.max_iterations) {
    stop(StopReason::max_iterations);
  } else {
    return false;
  }
  return true;
}

OptimResult Course::finish() { return std::move(result_); }

void require_fraction(double number, const char* name) {
  require(number >= 0.0 && number < 1.0, std::string(name) + " must be at least 0 and less than 1");
}

void require_vectors(Index count, Index n, const char* advice) {
  const Index bytes = checked_product(checked_product(count, n), sizeof(double));
  require_memory(static_cast<std::uint64_t>(bytes), "the vectors of the optimiser", advice);
}

}  // namespace gramian::optim_detail
