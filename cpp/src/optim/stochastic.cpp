// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/stochastic.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "optim/adam_rule.hpp"
#include "optim/step_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

constexpr const char* fewer = "use fewer parameters";

/// Steps on estimates, of which the whole objective says how far they have come. Moves: move(x, gradient, t) for t = 0, 1, ...,
/// which returns the length of the step, and fields(state).
template <class Options, class Moves>
class Follow final : public Method {
 public:
  Follow(StochasticObjective& objective, Course& course, const double* start, const Options& options, Moves moves)
      : objective_(objective), course_(course), options_(options), moves_(std::move(moves)), point_(start, objective.size()) {}

  bool begin() override {
    course_.evaluate(point_);
    return course_.begin(point_);
  }

  bool step(Index number) override {
    course_.estimate(objective_, options_.seed, number - 1, point_);
    if (!point_.finite()) return course_.stop(StopReason::not_finite);
    const double step = moves_.move(point_.x, point_.gradient, number - 1);
    course_.count_iteration(number);
    const bool checks = options_.check_every > 0 && number % options_.check_every == 0;
    if (!checks && number != options_.max_iterations) return true;
    course_.evaluate(point_);
    return course_.advance(number, point_, step);
  }

  void fields(SnapshotFields& state) override {
    point_.fields(state, "point");
    moves_.fields(state);
  }

 private:
  StochasticObjective& objective_;
  Course& course_;
  const Options& options_;
  Moves moves_;
  Point point_;
};

/// Steps of lengths that are known beforehand.
struct RuledSteps {
  double move(Numbers& x, const Numbers& gradient, Index t) {
    const double step = length_of_step(options.rule, options.step, options.decay, t);
    ball.move(x, gradient, step);
    return step;
  }
  void fields(SnapshotFields& state) { ball.fields(state); }

  const SgdOptions& options;
  HeavyBall ball;
};

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
  void fields(SnapshotFields& state) {
    Numbers values(values_.begin(), values_.end());
    state.list("last values", values);
    state("lowest mean", best_);
    state("iterations since it was lowest", waited_);
    values_.assign(values.begin(), values.end());
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
  void fields(SnapshotFields& state, Index n) {
    std::vector<Numbers> points(points_.begin(), points_.end());
    state.rows("last points", points, n);
    points_.assign(points.begin(), points.end());
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
class Walk final : public Method {
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

  OptimResult run() { return course_.run(*this); }

  bool begin() override {
    evaluate(0);
    take();
    if (!course_.begin(point_)) return false;
    falling_.ends_with(point_.value);
    return true;
  }

  bool step(Index number) override {
    // Somebody said stop in an iteration that was the last anyway, and the run is continued.
    if (ended_) return course_.stop(StopReason::value);
    const double step = steps_.move(point_.x, point_.gradient, number);
    evaluate(number);
    for (Index i = 0; i < patience_.shortenings && !point_.finite(); ++i) go_back(number);
    const bool stays = options_.patience && !point_.finite();
    if (stays) stay(number);
    if (point_.finite()) take();
    ended_ = point_.finite() && falling_.ends_with(point_.value);
    const bool goes_on = course_.advance(number, point_, step);
    if (stays && ends_stuck(ended_)) return course_.stop(StopReason::line_search);
    return goes_on && (!ended_ || course_.stop(StopReason::value));
  }

  void finish() override {
    if (estimates_ != nullptr && std::isfinite(course_.first_value())) course_.end_at(tail_.mean(), falling_.mean());
  }

  void fields(SnapshotFields& state) override {
    point_.fields(state, "point");
    steps_.fields(state);
    state("last good point", good_);
    state("iterations since it has moved", stays_);
    state("patience is at its end", ended_);
    falling_.fields(state);
    tail_.fields(state, size_of(good_));
  }

 private:
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
  bool ended_ = false;
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
  Follow follow(objective, course, start, options, RuledSteps{options, HeavyBall(n, options.momentum)});
  return course.run(follow);
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
  Follow follow(objective, course, start, options, AdamSteps(options, n));
  return course.run(follow);
}

OptimResult SgdOptions::minimise(const Task& task) const { return sgd(*task.estimates, task.start, *this, task.observer); }

OptimResult AdamOptions::minimise(const Task& task) const {
  if (task.estimates != nullptr) return stochastic_adam(*task.estimates, task.start, *this, task.observer);
  return adam(task.objective, task.start, *this, task.observer);
}

}  // namespace gramian
