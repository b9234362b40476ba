// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "losses/sample_sums.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 6e-9;
constexpr double lowest = -4.0, highest = 8.0;  // of log b
constexpr Index coarse_points = 25;
constexpr Index refinements = 12;  // each keeps .62 of the interval
constexpr Index most_crossings = 60;

/// The samples whose scores are numbers, and what each of them counts: 1 in the mean.
class HeldOut {
 public:
  HeldOut(MatrixView<const double> scores, const Index* labels, const double* weights) : scores_(scores), labels_(labels) {
    double total = 0.0;
    weights_.assign(static_cast<std::size_t>(scores.rows()), 0.0);
    for (Index i = 0; i < scores.rows(); ++i) {
      require(labels[i] >= 0 && labels[i] < scores.cols(),
              "labels must be columns of scores, the label in row " + std::to_string(i) + " is " + std::to_string(labels[i]));
      if (!finite(i)) continue;
      ++count_;
      total += weights_[static_cast<std::size_t>(i)] = weights == nullptr ? 1.0 : weights[i];
    }
    for (double& weight : weights_) weight *= total > 0.0 ? static_cast<double>(count_) / total : 0.0;
  }

  Index count() const { return count_; }

  /// Minus the log likelihood of b.
  double loss(double b, double uniform_share) const {
    const Index m = scores_.cols();
    return sum_over_samples(scores_, seconds_per_number, [&](Index i) {
      const double weight = weights_[static_cast<std::size_t>(i)], own = scores_(i, labels_[i]);
      if (!(weight > 0.0)) return 0.0;
      double most = own, sum = 0.0;
      for (Index c = 0; c < m; ++c) most = std::max(most, scores_(i, c));
      for (Index c = 0; c < m; ++c) sum += std::exp(b * (scores_(i, c) - most));
      const double p = std::exp(b * (own - most)) / sum;
      return -weight * std::log((1.0 - uniform_share) * p + uniform_share / static_cast<double>(m));
    });
  }

  /// Its derivative in b.
  double slope(double b, double uniform_share) const {
    const Index m = scores_.cols();
    return sum_over_samples(scores_, seconds_per_number, [&](Index i) {
      const double weight = weights_[static_cast<std::size_t>(i)], own = scores_(i, labels_[i]);
      if (!(weight > 0.0)) return 0.0;
      double most = own, sum = 0.0, mean = 0.0;
      for (Index c = 0; c < m; ++c) most = std::max(most, scores_(i, c));
      for (Index c = 0; c < m; ++c) {
        const double e = std::exp(b * (scores_(i, c) - most));
        sum += e, mean += e * scores_(i, c);
      }
      const double p = (1.0 - uniform_share) * std::exp(b * (own - most)) / sum;
      return -weight * p * (own - mean / sum) / (p + uniform_share / static_cast<double>(m));
    });
  }

 private:
  bool finite(Index i) const {
    for (Index c = 0; c < scores_.cols(); ++c) {
      if (!std::isfinite(scores_(i, c))) return false;
    }
    return true;
  }

  MatrixView<const double> scores_;
  const Index* labels_;
  std::vector<double> weights_;
  Index count_ = 0;
};

/// Where a slope that rises from a to b is 0, by false position with halved ends (Illinois): to the last bits, where comparing
/// values leaves half of the digits to rounding. The middle where it does not change its sign.
template <class Slope>
double crossing(double a, double b, Slope slope) {
  double at_a = slope(a), at_b = slope(b);
  if (!(at_a < 0.0 && at_b > 0.0)) return 0.5 * (a + b);
  double t = a;
  for (Index k = 0; k < most_crossings; ++k) {
    const double before = t;
    t = b - (b - a) * (at_b / (at_b - at_a));
    const double here = slope(t);
    if (here == 0.0 || std::fabs(t - before) <= 1e-15 * (1.0 + std::fabs(t))) break;
    if (here < 0.0) {
      a = t, at_a = here, at_b *= 0.5;
    } else {
      b = t, at_b = here, at_a *= 0.5;
    }
  }
  return t;
}

/// The t of the smallest value: the best of some, then golden sections around it, and in the end the slope. The share of the
/// uniform distribution can make two valleys.
template <class Value, class Slope>
double smallest(Value value, Slope slope) {
  const double step = (highest - lowest) / static_cast<double>(coarse_points - 1);
  Index best = 0;
  double least = value(lowest);
  for (Index k = 1; k < coarse_points; ++k) {
    const double here = value(lowest + static_cast<double>(k) * step);
    if (here < least) least = here, best = k;
  }
  constexpr double golden = 0.6180339887498949;
  double a = std::max(lowest, lowest + static_cast<double>(best - 1) * step);
  double b = std::min(highest, lowest + static_cast<double>(best + 1) * step);
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = value(c), at_d = value(d);
  for (Index k = 0; k < refinements; ++k) {
    if (at_c < at_d) {
      b = d, d = c, at_d = at_c;
      c = b - golden * (b - a), at_c = value(c);
    } else {
      a = c, c = d, at_c = at_d;
      d = a + golden * (b - a), at_d = value(d);
    }
  }
  return crossing(a, b, slope);
}

}  // namespace

Calibration calibrate(MatrixView<const double> scores, const Index* labels, const double* weights, const CalibrationPrior& prior,
                      Index all) {
  require_positive(prior.centre, "centre");
  require_positive(prior.width, "width");
  const HeldOut samples(scores, labels, weights);
  Calibration found;
  found.uniform_share = 1.0 / static_cast<double>(std::max(samples.count(), all) + 1);
  const double mean = std::log(prior.centre);
  const auto value = [&](double here) {
    poll_stop();
    const double away = (here - mean) / prior.width;
    return samples.loss(std::exp(here), found.uniform_share) + 0.5 * away * away;
  };
  const auto slope = [&](double here) {
    poll_stop();
    const double b = std::exp(here);
    return b * samples.slope(b, found.uniform_share) + (here - mean) / (prior.width * prior.width);
  };
  const double t = smallest(value, slope);
  found.inverse_temperature = std::exp(t);
  return found;
}

void calibrated_softmax(const Calibration& calibration, MatrixView<double> scores) {
  const Index m = scores.cols();
  const double b = calibration.inverse_temperature, share = calibration.uniform_share / static_cast<double>(m);
  for_rows(scores.rows(), m, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double most = scores(i, 0), sum = 0.0;
      for (Index c = 1; c < m; ++c) most = std::max(most, scores(i, c));
      for (Index c = 0; c < m; ++c) sum += scores(i, c) = std::exp(b * (scores(i, c) - most));
      for (Index c = 0; c < m; ++c) scores(i, c) = (1.0 - calibration.uniform_share) * (scores(i, c) / sum) + share;
    }
  });
}

void check_calibration(const Calibration& calibration) {
  require_positive(calibration.inverse_temperature, "inverse_temperature");
  const double share = calibration.uniform_share;
  require(share >= 0.0 && share <= 1.0, "uniform_share must be in [0, 1]");
}

}  // namespace gramian
