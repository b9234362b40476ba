// SPDX-License-Identifier: BSD-3-Clause
// Where networks start, and what dropout drops.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/layers/feature_network.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;
using naive::normal;

namespace {

std::vector<double> forward(FeatureMap& map, const std::vector<double>& theta, MatrixView<const double> X,
                            const FeaturePass& pass) {
  naive::Matrix<double> Z(X.rows(), map.outputs());
  map.forward(theta.data(), X, Z.view, pass);
  return Z.numbers;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Largest distance between the distribution of a sample and of normal numbers between -2 and 2.
double distance(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size()), low = normal_distribution(-2.0);
  double largest = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double exact = (normal_distribution(values[k]) - low) / (1.0 - 2.0 * low), below = static_cast<double>(k) / n;
    largest = std::max({largest, exact - below, below + 1.0 / n - exact});
  }
  return largest;
}

}  // namespace

TEST(weights_start_normal_and_cut_off) {
  const Index d = 100, h = 400, p = 30;
  const auto map = feature_network(d, {{h}, {p}}, {0.25, -0.5});
  CHECK_EQ(map->parameter_count(), h * (d + 1) + p * (h + 1));
  const std::vector<double> theta = map->start(17);
  std::vector<double> first(theta.begin(), theta.begin() + h * d), second(theta.end() - p * (h + 1), theta.end() - p);
  for (std::vector<double>* weights : {&first, &second}) {
    for (double& w : *weights) w /= 0.25;
    // Hundreds of them are expected between 1.9 and 2.
    const auto [least, most] = std::minmax_element(weights->begin(), weights->end());
    CHECK(*most <= 2.0 && *most > 1.95);
    CHECK(*least >= -2.0 && *least < -1.95);
    // Dvoretzky, Kiefer, Wolfowitz: larger with probability 1e-6.
    const double bound = std::sqrt(std::log(2.0 / 1e-6) / (2.0 * static_cast<double>(weights->size())));
    CHECK(distance(*weights) < bound);
    for (double& w : *weights) w *= 1.1;
    CHECK(distance(*weights) > bound);
  }
  CHECK(std::all_of(theta.begin() + h * d, theta.begin() + h * (d + 1), [](double b) { return b == -0.5; }));
  CHECK(std::all_of(theta.end() - p, theta.end(), [](double b) { return b == -0.5; }));
  CHECK(!std::equal(first.begin(), first.begin() + p, second.begin()));
  CHECK(map->start(17) == theta);
  CHECK(map->start(18) != theta);
}

TEST(a_deviation_of_zero_follows_the_inputs) {
  const auto unit = feature_network(16, {{5}, {3}}, {1.0, 0.0})->start(2),
             got = feature_network(16, {{5}, {3}}, {0.0, 0.0})->start(2);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK_NEAR(got[i], unit[i] * (i < 85 ? 0.25 : 1.0 / std::sqrt(5.0)), 1e-15);
}

TEST(sigmoids_start_where_samples_differ) {
  const std::vector<gramian::DenseLayer> layers = {
      {20, Activation::sigmoid}, {30, Activation::sigmoid}, {8, Activation::sigmoid}};
  const auto X = normal<double>(200, 6, 41);
  const auto spread = [&](const gramian::NetworkStart& start) {
    const auto map = feature_network(6, layers, start);
    const std::vector<double> theta = map->start(5);
    naive::Matrix<double> Z(200, 8);
    map->forward(theta.data(), X.view, Z.view, {});
    double most = 0.0;
    for (Index k = 0; k < 8; ++k) {
      double mean = 0.0, square = 0.0;
      for (Index i = 0; i < 200; ++i) mean += Z(i, k) / 200.0;
      for (Index i = 0; i < 200; ++i) square += (Z(i, k) - mean) * (Z(i, k) - mean) / 200.0;
      most = std::max(most, std::sqrt(square));
    }
    return most;
  };
  CHECK(spread({}) > 0.1);
  CHECK(spread({0.1, 0.1}) < 0.002);
  // Inputs of 1/2 each leave the bias alone.
  const auto map = feature_network(6, layers);
  const std::vector<double> theta = map->start(5);
  const double* W = theta.data() + 20 * 7;
  for (Index i = 0; i < 30; ++i) {
    double at_half = W[30 * 20 + i];
    for (Index j = 0; j < 20; ++j) at_half += 0.5 * W[i * 20 + j];
    CHECK_NEAR(at_half, 0.1, 1e-14);
  }
  // Other layers start as the paper prints it.
  const std::vector<gramian::DenseLayer> others = {{5, Activation::tanh}, {3}, {2, Activation::identity}};
  CHECK(feature_network(6, others)->start(2) == feature_network(6, others, {0.1, 0.1})->start(2));
}

TEST(dropout_drops_its_share_and_lets_the_others_grow) {
  const Index n = 500, h = 80;
  const double share = 0.3;
  const auto map = feature_network(4, {{h, Activation::sigmoid, share}});
  const std::vector<double> theta = map->start(1);
  const auto X = normal<double>(n, 4, 41);
  const std::vector<double> plain = forward(*map, theta, X.view, {}), dropped = forward(*map, theta, X.view, {true, 1, 2});
  std::vector<double> of_unit(static_cast<std::size_t>(h)), of_row(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (dropped[i] == 0.0) {
      of_unit[i % of_unit.size()] += 1;
      of_row[i / of_unit.size()] += 1;
    } else {
      CHECK_NEAR(dropped[i], plain[i] / (1.0 - share), 1e-15 * plain[i]);
    }
  }
  // Five deviations of a binomial count.
  const auto binomial = [&](double count, Index draws) {
    const double m = static_cast<double>(draws);
    CHECK_NEAR(count, share * m, 5.0 * std::sqrt(m * share * (1.0 - share)));
  };
  for (const double count : of_unit) binomial(count, n);
  for (const double count : of_row) binomial(count, h);
}

TEST(masks_belong_to_seed_step_and_layer) {
  const auto X = normal<double>(30, 3, 42);
  const auto map = feature_network(3, {{20, Activation::identity, 0.5}});
  const std::vector<double> theta = map->start(1);
  const std::vector<double> first = forward(*map, theta, X.view, {true, 1, 2});
  CHECK(forward(*map, theta, X.view, {true, 1, 2}) == first);
  CHECK(forward(*map, theta, X.view, {true, 1, 3}) != first);
  CHECK(forward(*map, theta, X.view, {true, 2, 2}) != first);
  CHECK(forward(*map, theta, X.view, {false, 1, 2}) == forward(*map, theta, X.view, {false, 9, 9}));

  // Two layers in one another's place: the second only passes on.
  const auto both = feature_network(3, {{3, Activation::identity, 0.5}, {3, Activation::identity, 0.5}});
  std::vector<double> identity(24);
  for (std::size_t k = 0; k < 3; ++k) identity[4 * k] = identity[12 + 4 * k] = 1.0;
  const auto ones = naive::Matrix<double>(200, 3);
  std::fill(ones.view.data(), ones.view.data() + 600, 1.0);
  const std::vector<double> passed = forward(*both, identity, ones.view, {true, 4, 4});
  const double left = static_cast<double>(std::count(passed.begin(), passed.end(), 4.0));
  CHECK_NEAR(left, 150.0, 5.0 * std::sqrt(600 * 0.25 * 0.75));  // 300 if both dropped the same
}

TEST_MAIN
