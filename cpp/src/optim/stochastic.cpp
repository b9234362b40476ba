// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/stochastic.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "optim/adam_rule.hpp"
#include "optim/step_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

constexpr const char* fewer = "use fewer parameters";

/// move(x, gradient, t) for t = 0, 1, ... on estimates, of which the whole objective says how far they have come; it returns the
/// length of the step.
template <class Options, class Move>
void follow(StochasticObjective& objective, Course& course, Point& point, const Options& options, Move move) {
  course.evaluate(point);
  bool more = course.begin(point);
  for (Index number = 1; more; ++number) {
    poll_stop();
    course.estimate(objective, options.seed, number - 1, point);
    if (!point.finite()) return course.stop(StopReason::not_finite);
    const double step = move(point.x, point.gradient, number - 1);
    course.count_iteration(number);
    const bool checks = options.check_every > 0 && number % options.check_every == 0;
    if (!checks && number != options.max_iterations) continue;
    course.evaluate(point);
    more = course.advance(number, point, step);
  }
}

/// The last values, and whether their mean still falls.
class Falling {
 public:
  Falling(const Patience& patience, bool estimates)
      : size_(static_cast<std::size_t>(estimates ? patience.window : 1)), patience_(patience) {}

  /// Whether patience is at its end.
  bool ends_with(double value) {
    values_.push_back(value);
    if (values_.size() > size_) values_.pop_front();
    if (values_.size() < size_ || patience_.tolerance == 0.0) return false;
    const double now = mean();
    if (now < best_ - patience_.tolerance * std::max(std::fabs(best_), std::fabs(now)) || std::isinf(best_)) {
      best_ = now;
      waited_ = 0;
      return false;
    }
    return ++waited_ >= patience_.window;
  }
  double mean() const {
    double sum = 0.0;
    for (const double value : values_) sum += value;
    return sum / static_cast<double>(values_.size());
  }

 private:
  std::size_t size_;
  Patience patience_;
  std::deque<double> values_;
  double best_ = std::numeric_limits<double>::infinity();
  Index waited_ = 0;
};

/// The mean of the last points.
class Tail {
 public:
  explicit Tail(Index size) : size_(static_cast<std::size_t>(size)) {}
  void add(const Numbers& x) {
    points_.push_back(x);
    if (points_.size() > size_) points_.pop_front();
  }
  Numbers mean() const {
    Numbers sum(points_.front().size());
    for (const Numbers& x : points_) add_multiple(1.0, x.data(), sum.data(), size_of(sum));
    multiply(1.0 / static_cast<double>(points_.size()), sum.data(), size_of(sum));
    return sum;
  }

 private:
  std::size_t size_;
  std::deque<Numbers> points_;
};

Limits limits_without_checks(const AdamOptions& options, bool estimates) {
  Limits limits = limits_of(options);
  limits.estimates = estimates;
  return limits;
}

/// Adam where each iteration is judged by its own value: that of the whole objective, or estimates with patience.
class Walk {
 public:
  /// estimates: null for the whole objective.
  Walk(Objective& objective, StochasticObjective* estimates, const double* start, const AdamOptions& options, Observer* observer)
      : estimates_(estimates),
        options_(options),
        patience_(options.patience.value_or(Patience{0.0, 1, 1, 0})),
        course_(objective, limits_without_checks(options, estimates != nullptr), observer),
        steps_(options, objective.size()),
        point_(start, objective.size()),
        good_(point_.x),
        falling_(patience_, estimates != nullptr),
        tail_(patience_.average) {}

  OptimResult run() {
    evaluate(0);
    take();
    if (course_.begin(point_)) iterate();
    OptimResult result = course_.finish();
    if (estimates_ != nullptr && std::isfinite(result.history.front().value)) {
      result.x = tail_.mean();
      result.value = falling_.mean();
    }
    return result;
  }

 private:
  void iterate() {
    falling_.ends_with(point_.value);
    for (Index number = 1;; ++number) {
      poll_stop();
      const double step = steps_.move(point_.x, point_.gradient);
      evaluate(number);
      for (Index i = 0; i < patience_.shortenings && !point_.finite(); ++i) go_back(number);
      const bool stays = options_.patience && !point_.finite();
      if (stays) stay(number);
      if (point_.finite()) take();
      const bool ended = point_.finite() && falling_.ends_with(point_.value);
      const bool goes_on = course_.advance(number, point_, step);
      if (stays && ends_stuck(ended)) return course_.stop(StopReason::line_search);
      if (!goes_on) return;
      if (ended) return course_.stop(StopReason::value);
    }
  }

  void evaluate(Index number) {
    if (estimates_ == nullptr) return course_.evaluate(point_);
    course_.estimate(*estimates_, options_.seed, number, point_);
  }

  void go_back(Index number) {
    add_multiple(1.0, good_.data(), point_.x.data(), size_of(good_));
    multiply(0.5, point_.x.data(), size_of(good_));
    evaluate(number);
  }

  void stay(Index number) {
    point_.x = good_;
    evaluate(number);
  }

  /// Other estimates may have a value where this one has none; of the whole objective nothing else is to be learned. Estimates
  /// that no longer fall have not converged either if their point has not moved all the while.
  bool ends_stuck(bool ended) {
    ++stays_;
    return estimates_ == nullptr || (ended && stays_ >= patience_.window);
  }

  void take() {
    if (point_.x != good_) stays_ = 0;
    good_ = point_.x;
    if (estimates_ != nullptr) tail_.add(good_);
  }

  StochasticObjective* estimates_;
  const AdamOptions& options_;
  Patience patience_;
  Course course_;
  AdamSteps steps_;
  Point point_;
  Numbers good_;     ///< the last point with a value
  Index stays_ = 0;  ///< iterations since it has moved
  Falling falling_;
  Tail tail_;
};

void require_patience(const Patience& patience) {
  require_not_negative(patience.tolerance, "tolerance");
  require(patience.window >= 1, "window must be at least 1");
  require(patience.average >= 1, "average must be at least 1");
  require(patience.shortenings >= 0, "shortenings must not be negative");
}

OptimResult walk(Objective& objective, StochasticObjective* estimates, const double* start, const AdamOptions& options,
                 Observer* observer) {
  if (options.patience) require_patience(*options.patience);
  const Index kept = estimates != nullptr && options.patience ? options.patience->average : 0;
  require_vectors(6 + kept, objective.size(), "use fewer parameters, or a smaller average");
  return Walk(objective, estimates, start, options, observer).run();
}

}  // namespace

OptimResult sgd(StochasticObjective& objective, const double* start, const SgdOptions& options, Observer* observer) {
  require_rule(options.step, options.decay, options.momentum);
  require(options.rule != StepRule::backtracking, "rule must not be backtracking for sgd: estimates can't be compared");
  require(options.check_every >= 0, "check_every must not be negative");
  Course course(objective, limits_of(options), observer);
  const Index n = objective.size();
  require_vectors(4, n, fewer);
  Point point(start, n);
  HeavyBall ball(n, options.momentum);
  follow(objective, course, point, options, [&](Numbers& x, const Numbers& gradient, Index t) {
    const double step = length_of_step(options.rule, options.step, options.decay, t);
    ball.move(x, gradient, step);
    return step;
  });
  return course.finish();
}

OptimResult adam(Objective& objective, const double* start, const AdamOptions& options, Observer* observer) {
  return walk(objective, nullptr, start, options, observer);
}

OptimResult stochastic_adam(StochasticObjective& objective, const double* start, const AdamOptions& options, Observer* observer) {
  if (options.patience) return walk(objective, &objective, start, options, observer);
  require(options.check_every >= 0, "check_every must not be negative");
  Course course(objective, limits_of(options), observer);
  const Index n = objective.size();
  require_vectors(5, n, fewer);
  Point point(start, n);
  AdamSteps steps(options, n);
  follow(objective, course, point, options, [&](Numbers& x, const Numbers& gradient, Index) { return steps.move(x, gradient); });
  return course.finish();
}

OptimResult SgdOptions::minimise(const Task& task) const { return sgd(*task.estimates, task.start, *this, task.observer); }

OptimResult AdamOptions::minimise(const Task& task) const {
  if (task.estimates != nullptr) return stochastic_adam(*task.estimates, task.start, *this, task.observer);
  return adam(task.objective, task.start, *this, task.observer);
}

}  // namespace gramian
