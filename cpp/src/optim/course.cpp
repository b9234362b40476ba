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
#include "gramian/base/stop.hpp"
#include "optim/result_fields.hpp"

namespace gramian::optim_detail {

bool Point::finite() const { return std::isfinite(value) && std::isfinite(gradient_norm); }

void Point::fields(SnapshotFields& state, const std::string& name) {
  state(name, x);
  state(name + ": gradient", gradient);
  state(name + ": value", value);
  state(name + ": gradient norm", gradient_norm);
  state(name + ": evaluation", evaluation);
}

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
  if (!start.finite()) return stop(StopReason::not_finite);
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

void Course::end_at(Numbers x, double value) {
  result_.x = std::move(x);
  result_.value = value;
}

OptimResult Course::run(Method& method) {
  const auto result = [this](SnapshotFields& state) {
    fields(state, result_);
    objective_.fields(state);
  };
  Stage stage(observer_, result, [&](SnapshotFields& state) { method.fields(state); });
  if (stage.has_ended()) return std::move(result_);
  bool more = stage.resumes() ? may_iterate() : method.begin();
  while (more) {
    poll_stop();
    more = method.step(result_.iterations + 1);
    if (more) stage.keep(result_.iterations);
  }
  const bool stopped = result_.stop_reason == StopReason::observer;
  if (stopped) stage.stop();
  method.finish();
  if (!stopped) stage.end();
  return std::move(result_);
}

/// Where an earlier process was stopped after its last iteration there is none left.
bool Course::may_iterate() {
  result_.stop_reason = OptimResult().stop_reason;
  if (!may_evaluate()) return stop(StopReason::max_evaluations);
  return result_.iterations < limits_.max_iterations || stop(StopReason::max_iterations);
}

void require_fraction(double number, const char* name) {
  require(number >= 0.0 && number < 1.0, std::string(name) + " must be at least 0 and less than 1");
}

void require_vectors(Index count, Index n, const char* advice) {
  const Index bytes = checked_product(checked_product(count, n), sizeof(double));
  require_memory(static_cast<std::uint64_t>(bytes), "the vectors of the optimiser", advice);
}

}  // namespace gramian::optim_detail
