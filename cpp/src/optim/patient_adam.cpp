// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/patient_adam.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "optim/adam_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

/// The last values, and whether their mean still falls.
class Patience {
 public:
  Patience(const PatientAdamOptions& options)
      : size_(static_cast<std::size_t>(options.estimates ? options.patience : 1)),
        patience_(options.patience),
        tolerance_(options.tolerance) {}

  /// Whether it is at its end.
  bool ends_with(double value) {
    values_.push_back(value);
    if (values_.size() > size_) values_.pop_front();
    if (values_.size() < size_ || tolerance_ == 0.0) return false;
    const double now = mean();
    if (now < best_ - tolerance_ * std::max(std::fabs(best_), std::fabs(now)) || std::isinf(best_)) {
      best_ = now;
      waited_ = 0;
      return false;
    }
    return ++waited_ >= patience_;
  }
  double mean() const {
    double sum = 0.0;
    for (const double value : values_) sum += value;
    return sum / static_cast<double>(values_.size());
  }

 private:
  std::size_t size_;
  Index patience_;
  double tolerance_;
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

class Walk {
 public:
  Walk(StochasticObjective& objective, const double* start, const PatientAdamOptions& options, Observer* observer)
      : objective_(objective),
        options_(options),
        course_(objective, {options.max_iterations, 0, 0.0, 0.0, options.estimates}, observer),
        rule_({options.step, options.beta1, options.beta2, options.epsilon}, objective.size()),
        point_(start, objective.size()),
        good_(point_.x),
        patience_(options),
        tail_(options.average) {}

  OptimResult run() {
    evaluate(0);
    take();
    if (course_.begin(point_)) iterate();
    OptimResult result = course_.finish();
    if (options_.estimates && std::isfinite(result.history.front().value)) {
      result.x = tail_.mean();
      result.value = patience_.mean();
    }
    return result;
  }

 private:
  void iterate() {
    patience_.ends_with(point_.value);
    for (Index number = 1;; ++number) {
      poll_stop();
      const double step = rule_.move(point_.x, point_.gradient);
      evaluate(number);
      for (Index i = 0; i < options_.shortenings && !point_.finite(); ++i) go_back(number);
      const bool stays = !point_.finite();
      if (stays) stay(number);
      if (point_.finite()) take();
      const bool ended = point_.finite() && patience_.ends_with(point_.value);
      const bool goes_on = course_.advance(number, point_, step);
      if (stays && ends_stuck(ended)) return course_.stop(StopReason::line_search);
      if (!goes_on) return;
      if (ended) return course_.stop(StopReason::value);
    }
  }

  void evaluate(Index number) {
    if (!options_.estimates) return course_.evaluate(point_);
    course_.count_estimate();
    point_.value = objective_.sample(point_.x.data(), options_.seed, static_cast<std::uint64_t>(number), point_.gradient.data());
    point_.gradient_norm = largest_magnitude(point_.gradient.data(), size_of(point_.gradient));
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
    return !options_.estimates || (ended && stays_ >= options_.patience);
  }

  void take() {
    if (point_.x != good_) stays_ = 0;
    good_ = point_.x;
    if (options_.estimates) tail_.add(good_);
  }

  StochasticObjective& objective_;
  const PatientAdamOptions& options_;
  Course course_;
  AdamRule rule_;
  Point point_;
  Numbers good_;     ///< the last point with a value
  Index stays_ = 0;  ///< iterations since it has moved
  Patience patience_;
  Tail tail_;
};

}  // namespace

OptimResult patient_adam(StochasticObjective& objective, const double* start, const PatientAdamOptions& options,
                         Observer* observer) {
  require_adam({options.step, options.beta1, options.beta2, options.epsilon});
  require_not_negative(options.tolerance, "tolerance");
  require(options.patience >= 1, "patience must be at least 1");
  require(options.average >= 1, "average must be at least 1");
  require(options.shortenings >= 0, "shortenings must not be negative");
  require_vectors(6 + (options.estimates ? options.average : 0), objective.size(), "use fewer parameters, or a smaller average");
  return Walk(objective, start, options, observer).run();
}

}  // namespace gramian
