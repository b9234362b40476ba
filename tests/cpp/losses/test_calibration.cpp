// SPDX-License-Identifier: BSD-3-Clause
// The temperature against a fine grid and against scores of which it is known.
#include "gramian/losses/calibration.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/eigen.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using Dense = spectral::Matrix;

namespace {

struct HeldOut {
  Dense scores;
  std::vector<Index> labels;
};

/// Labels drawn from softmax(b f).
HeldOut drawn(Index n, Index m, double b, std::uint64_t seed) {
  HeldOut data{0.5 * spectral::normal(n, m, seed), {}};
  const RandomStream random(seed + 1);
  for (Index i = 0; i < n; ++i) {
    const Eigen::ArrayXd p = (b * data.scores.row(i).array()).exp();
    double left = random.uniform(static_cast<std::uint64_t>(i)) * p.sum();
    Index label = 0;
    while (label + 1 < m && (left -= p[label]) > 0.0) ++label;
    data.labels.push_back(label);
  }
  return data;
}

double naive_loss(const HeldOut& data, const std::vector<double>& weights, double log_b, const CalibrationPrior& prior) {
  const auto n = static_cast<double>(data.scores.rows()), m = static_cast<double>(data.scores.cols());
  const double away = (log_b - std::log(prior.centre)) / prior.width, share = 1.0 / (n + 1.0);
  double loss = 0.5 * away * away, total = 0.0;
  for (const double weight : weights) total += weight;
  for (Index i = 0; i < data.scores.rows(); ++i) {
    const Eigen::ArrayXd p = (std::exp(log_b) * data.scores.row(i).array()).exp();
    const auto at = static_cast<std::size_t>(i);
    loss -= weights[at] * n / total * std::log((1.0 - share) * p[data.labels[at]] / p.sum() + share / m);
  }
  return loss;
}

}  // namespace

TEST(the_posterior_is_largest_at_the_temperature) {
  const HeldOut data = drawn(60, 4, 3.0, 1);
  std::vector<double> weights(60, 1.0);
  for (std::size_t i = 0; i < 60; i += 3) weights[i] = 2.5;
  for (const CalibrationPrior prior : {CalibrationPrior{5.0, 0.5}, CalibrationPrior{0.5, 0.2}, CalibrationPrior{1.0, 3.0}}) {
    const Calibration found = calibrate(view(data.scores), data.labels.data(), weights.data(), prior);
    CHECK_NEAR(found.uniform_share, 1.0 / 61.0, 1e-17);
    double best = std::numeric_limits<double>::infinity(), at_best = 0.0;
    for (double t = -4.0; t <= 8.0; t += 1e-3) {
      const double loss = naive_loss(data, weights, t, prior);
      if (loss < best) best = loss, at_best = t;
    }
    CHECK_NEAR(std::log(found.inverse_temperature), at_best, 1e-3);
  }
}

TEST(rounding_of_scores_moves_the_temperature_by_rounding) {
  for (const std::uint64_t seed : {1u, 5u, 9u}) {
    HeldOut data = drawn(60, 4, 3.0, seed);
    const double one = calibrate(view(data.scores), data.labels.data()).inverse_temperature;
    for (Index i = 0; i < 60; ++i) data.scores(i, i % 4) *= 1.0 + 2.3e-16;
    CHECK_NEAR(calibrate(view(data.scores), data.labels.data()).inverse_temperature / one, 1.0, 1e-13);
  }
}

TEST(many_samples_tell_the_temperature_they_were_drawn_with) {
  for (const double b : {0.7, 4.0, 20.0}) {
    const HeldOut data = drawn(20000, 3, b, 2);
    CHECK_NEAR(calibrate(view(data.scores), data.labels.data()).inverse_temperature / b, 1.0, 0.05);
  }
}

TEST(nothing_is_learned_of_scores_that_are_no_numbers) {
  HeldOut data = drawn(30, 3, 2.0, 3);
  HeldOut fewer = data;
  fewer.scores.conservativeResize(20, 3);
  for (Index i = 20; i < 30; ++i) data.scores(i, i % 3) = std::numeric_limits<double>::quiet_NaN();
  const Calibration with = calibrate(view(data.scores), data.labels.data());
  const Calibration without = calibrate(view(fewer.scores), fewer.labels.data());
  CHECK_NEAR(with.inverse_temperature, without.inverse_temperature, 1e-12);
  CHECK_EQ(with.uniform_share, without.uniform_share);
}

TEST(weights_count_in_proportion) {
  const HeldOut data = drawn(40, 3, 2.0, 4);
  std::vector<double> small(40, 0.125), one(40, 1.0);
  const auto with = [&](const std::vector<double>& weights) {
    return calibrate(view(data.scores), data.labels.data(), weights.data()).inverse_temperature;
  };
  CHECK_EQ(with(small), with(one));
  CHECK_EQ(with(one), calibrate(view(data.scores), data.labels.data()).inverse_temperature);
}

TEST(samples_that_are_all_right_leave_no_class_out) {
  Dense scores = Dense::Zero(10, 2);
  const std::vector<Index> labels(10, 1);
  scores.col(1).setOnes();
  const Calibration found = calibrate(view(scores), labels.data());
  CHECK(found.inverse_temperature < 50.0);  // by the prior
  calibrated_softmax(found, view(scores));
  CHECK(scores.minCoeff() >= 0.5 / 11.0);
}

TEST(probabilities_are_those_of_the_formula) {
  Dense f = 3.0 * spectral::normal(50, 4, 5);
  f.row(7) *= 1e4;
  const Calibration calibration{2.5, 0.02};
  Dense p = f;
  calibrated_softmax(calibration, view(p));
  for (Index i = 0; i < 50; ++i) {
    const Eigen::ArrayXd e = (2.5 * (f.row(i).array() - f.row(i).maxCoeff())).exp();
    for (Index c = 0; c < 4; ++c) CHECK_NEAR(p(i, c), 0.98 * e[c] / e.sum() + 0.005, 1e-15);
    Index best = 0, wanted = 0;
    p.row(i).maxCoeff(&best);
    f.row(i).maxCoeff(&wanted);
    CHECK_EQ(best, wanted);
  }
  CHECK_NEAR((p.rowwise().sum().array() - 1.0).abs().maxCoeff(), 0.0, 1e-15);
}

TEST(the_same_bits_for_any_number_of_threads) {
  const HeldOut data = drawn(70000, 3, 2.0, 6);
  CHECK(check::same_for_any_threads([&] {
    Dense p = data.scores;
    const Calibration found = calibrate(view(data.scores), data.labels.data());
    calibrated_softmax(found, view(p));
    p(0, 0) = found.inverse_temperature;
    return p;
  }));
}

TEST(wrong_numbers_are_refused) {
  const HeldOut data = drawn(5, 3, 2.0, 7);
  std::vector<Index> labels = data.labels;
  labels[2] = 3;
  CHECK_THROWS(std::invalid_argument, calibrate(view(data.scores), labels.data()));
  CHECK_THROWS(std::invalid_argument, calibrate(view(data.scores), data.labels.data(), nullptr, {0.0, 0.5}));
  CHECK_THROWS(std::invalid_argument, calibrate(view(data.scores), data.labels.data(), nullptr, {5.0, -1.0}));
  CHECK_THROWS(std::invalid_argument, check_calibration({0.0, 0.1}));
  CHECK_THROWS(std::invalid_argument, check_calibration({2.0, 1.1}));
  CHECK_THROWS(std::invalid_argument, check_calibration({2.0, std::numeric_limits<double>::quiet_NaN()}));
}

TEST_MAIN
