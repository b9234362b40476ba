// SPDX-License-Identifier: BSD-3-Clause
// Networks against their formula in long double, and their reverse pass against its differences.
#include "gramian/layers/feature_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/feature_gradient.hpp"

using namespace gramian;
using features::both_passes;
using features::Numbers;
using features::Real;
using naive::normal;

namespace {

constexpr Real unit = 0x1p-53L;

Real activate(Activation a, Real x) {
  if (a == Activation::relu) return x > 0 ? x : 0;
  if (a == Activation::sigmoid) return 1 / (1 + std::exp(-x));
  return a == Activation::tanh ? std::tanh(x) : x;
}

/// z = a(W a(...) + b) for each row, and bounds on what rounding does to it: no activation's slope is above 1.
struct Network {
  Index inputs;
  std::vector<DenseLayer> layers;

  struct Pass {
    Numbers Z, rounding;
    Real nearest_kink = 1e9L;  // the smallest |x| that a ReLU sees
  };

  Pass run(const Numbers& theta, MatrixView<const double> X) const {
    Pass out;
    for (Index i = 0; i < X.rows(); ++i) {
      Numbers z, error(static_cast<std::size_t>(inputs), 0);
      for (Index k = 0; k < inputs; ++k) z.push_back(static_cast<Real>(X(i, k)));
      const Real* at = theta.data();
      for (const DenseLayer& layer : layers) {
        at = apply(layer, at, z, error, out);
      }
      out.Z.insert(out.Z.end(), z.begin(), z.end());
      out.rounding.insert(out.rounding.end(), error.begin(), error.end());
    }
    return out;
  }

  /// One layer; returns where the next one's parameters begin.
  static const Real* apply(const DenseLayer& layer, const Real* W, Numbers& z, Numbers& error, Pass& out) {
    const std::size_t from = z.size(), to = static_cast<std::size_t>(layer.outputs);
    const Real* b = W + from * to;
    Numbers next, next_error;
    for (std::size_t j = 0; j < to; ++j) {
      Real x = b[j], carried = 0, size = std::fabs(b[j]);
      for (std::size_t k = 0; k < from; ++k) {
        x += W[j * from + k] * z[k];
        size += std::fabs(W[j * from + k] * z[k]);
        carried += std::fabs(W[j * from + k]) * error[k];
      }
      if (layer.activation == Activation::relu) out.nearest_kink = std::min(out.nearest_kink, std::fabs(x));
      next.push_back(activate(layer.activation, x));
      next_error.push_back(carried + unit * (static_cast<Real>(from + 4) * size + 4 * std::fabs(next.back())));
    }
    z = next;
    error = next_error;
    return b + to;
  }
};

const Activation all_activations[] = {Activation::identity, Activation::relu, Activation::sigmoid, Activation::tanh};

std::vector<Network> networks() {
  std::vector<Network> all;
  for (const Activation a : all_activations) {
    all.push_back({3, {{5, a}}});
    all.push_back({4, {{6, a}, {3, Activation::tanh}}});
    all.push_back({2, {{7, Activation::relu}, {1, Activation::sigmoid}, {4, a}}});
  }
  return all;
}

std::string name_of(const Network& network) {
  std::string name = std::to_string(network.inputs);
  for (const DenseLayer& layer : network.layers) {
    name += "-" + std::to_string(layer.outputs) + "risti"[static_cast<std::size_t>(layer.activation)];
  }
  return name;
}

/// Larger than those of a start, so that activations bend.
std::vector<double> some_parameters(const FeatureMap& map) {
  std::vector<double> theta = normal<double>(map.parameter_count(), 1, 31).numbers;
  for (double& t : theta) t *= 0.7;
  return theta;
}

}  // namespace

TEST(features_are_those_of_the_formula) {
  for (const Network& network : networks()) {
    for (const Index n : {1, 9, 300}) {
      const auto map = feature_network(network.inputs, network.layers);
      const std::vector<double> theta = some_parameters(*map);
      const auto X = normal<double>(n, network.inputs, 32);
      naive::Matrix<double> Z(n, map->outputs());
      map->forward(theta.data(), X.view, Z.view, {});
      const Network::Pass wanted = network.run(features::wide(theta), X.view);
      for (std::size_t i = 0; i < wanted.Z.size(); ++i)
        CHECK_NEAR(static_cast<Real>(Z.numbers[i]), wanted.Z[i], wanted.rounding[i]);
    }
  }
}

TEST(activations_are_accurate_everywhere) {
  std::vector<double> points = {0.0, -0.0, 1e-300, -1e-300, 1e-17, 5e-9, 0.5499999, 0.55, 0.5500001, 19.0, 40.0, 700.0, 1e300};
  for (int k = 0; k < 2000; ++k) points.push_back(std::exp(-12.0 + 0.0085 * k));
  const std::size_t half = points.size();
  for (std::size_t i = 0; i < half; ++i) points.push_back(-points[i]);
  const auto n = static_cast<Index>(points.size());
  const double theta[] = {1.0, 0.0};
  for (const Activation a : all_activations) {
    const auto map = feature_network(1, {{1, a}});
    naive::Matrix<double> Z(n, 1);
    map->forward(theta, {points.data(), n, 1}, Z.view, {});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Real x = points[i], wanted = activate(a, x);
      // e^-x carries the rounding of its exponent; below 2^-1021 it is 0.
      const Real relative = a == Activation::sigmoid ? 6 + std::min<Real>(700, std::fabs(x)) : 6;
      CHECK_NEAR(static_cast<Real>(Z.numbers[i]), wanted, relative * unit * std::fabs(wanted) + 0x1p-1020L);
    }
  }
}

TEST(reverse_pass_is_the_gradient) {
  for (const Network& network : networks()) {
    const auto map = feature_network(network.inputs, network.layers);
    const std::vector<double> theta = some_parameters(*map);
    const Index n = 7;
    const auto X = normal<double>(n, network.inputs, 33);
    const Network::Pass at = network.run(features::wide(theta), X.view);
    const Real step = 1e-5L;
    // A step moves what a ReLU sees by less than this: parameters and inputs are below 4.
    CHECK(at.nearest_kink > 4 * step * 4 * 4 * 30);
    const auto formula = [&](const Numbers& moved) { return network.run(moved, X.view).Z; };
    features::check_reverse(name_of(network), *map, theta, X.view, {}, 64,
                            features::Reference{formula, step, 64 * std::numeric_limits<Real>::epsilon()});
  }
}

TEST(reverse_pass_with_dropout_is_the_gradient_of_that_pass) {
  for (const Activation a : all_activations) {
    const auto map = feature_network(3, {{8, a, 0.4}, {5, Activation::tanh, 0.3}, {4, a, 0.25}});
    const std::vector<double> theta = some_parameters(*map);
    const auto X = normal<double>(6, 3, 34);
    const FeaturePass pass{true, 11, 5};
    features::check_reverse("dropout", *map, theta, X.view, pass, 64,
                            features::Reference{features::by_engine(*map, X.view, pass), 2e-4L, 256 * unit});
  }
}

TEST(at_the_kink_the_slope_is_zero) {
  const auto map = feature_network(1, {{1, Activation::relu}});
  const double theta[] = {1.0, 0.0}, x = 0.0, zbar = 3.0;
  double z = -1.0, bar[2] = {-1.0, -1.0};
  map->forward(theta, {&x, 1, 1}, {&z, 1, 1}, {});
  map->reverse({&zbar, 1, 1}, bar);
  CHECK_EQ(z, 0.0);
  CHECK_EQ(bar[0], 0.0);
  CHECK_EQ(bar[1], 0.0);
}

TEST(what_is_not_a_number_stays_so) {
  const double theta[] = {1.0, 0.0}, x[] = {std::nan(""), 2.0};
  for (const Activation a : all_activations) {
    const auto map = feature_network(1, {{1, a}});
    double z[2] = {};
    map->forward(theta, {x, 2, 1}, {z, 2, 1}, {});
    CHECK(std::isnan(z[0]));
    CHECK(std::isfinite(z[1]));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  struct Reset {
    ~Reset() { set_num_threads(0); }
  } reset;
  const auto map = feature_network(40, {{70, Activation::relu, 0.2}, {50, Activation::tanh}, {30, Activation::sigmoid, 0.1}});
  const std::vector<double> theta = map->start(3);
  const auto X = normal<double>(5000, 40, 35);
  set_num_threads(1);
  const std::vector<double> one = both_passes(*map, theta, X.view, {true, 7, 8});
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(both_passes(*map, theta, X.view, {true, 7, 8}) == one);
  }
}

TEST(strides_change_nothing) {
  const auto map = feature_network(13, {{30, Activation::relu, 0.2}, {9, Activation::identity}});
  const auto X = normal<double>(400, 13, 36);
  const std::vector<double> theta = map->start(4);
  CHECK(features::both_passes_strided(*map, theta, X.view) == both_passes(*map, theta, X.view));
}

TEST(a_pass_leaves_nothing_behind) {
  const std::vector<DenseLayer> layers = {{8, Activation::tanh}, {6, Activation::relu}, {3, Activation::sigmoid}};
  const auto map = feature_network(5, layers), fresh = feature_network(5, layers);
  const auto large = normal<double>(50, 5, 37), small = normal<double>(9, 5, 38), none = normal<double>(0, 5, 1);
  std::vector<double> theta = map->start(1);
  both_passes(*map, theta, large.view);
  const std::vector<double> again = both_passes(*map, theta, small.view);
  CHECK(again == both_passes(*fresh, theta, small.view));
  // The parameters may move before the reverse pass, and that may be repeated.
  naive::Matrix<double> Z(9, 3);
  const auto Zbar = normal<double>(9, 3, 503);
  std::vector<double> bar(theta.size()), moved = theta;
  map->forward(moved.data(), small.view, Z.view, {});
  std::fill(moved.begin(), moved.end(), -9.0);
  for (int k = 0; k < 2; ++k) {
    map->reverse(Zbar.view, bar.data());
    CHECK(std::equal(bar.begin(), bar.end(), again.begin()));
  }
  CHECK(both_passes(*map, theta, none.view) == std::vector<double>(theta.size(), 0.0));
}

TEST(a_pass_that_does_not_fit_is_refused_and_leaves_nothing_to_reverse) {
  struct Reset {
    ~Reset() { set_memory_limit(0); }
  } reset;
  const auto map = feature_network(2, {{3}});
  const std::vector<double> theta = map->start(0);
  const auto X = normal<double>(4000, 2, 40);
  naive::Matrix<double> Z(4000, 3);
  std::vector<double> bar(theta.size());
  map->forward(theta.data(), X.view, Z.view, {});
  set_memory_limit(4000 * 3 * sizeof(double) - 1);
  CHECK_THROWS(MemoryLimitError, map->forward(theta.data(), X.view, Z.view, {}));
  CHECK_THROWS(std::invalid_argument, map->reverse(Z.view, bar.data()));
  set_memory_limit(0);
  map->forward(theta.data(), X.view, Z.view, {});
  set_memory_limit(4000 * 3 * sizeof(double));
  CHECK_THROWS(MemoryLimitError, map->reverse(Z.view, bar.data()));
}

TEST(a_last_layer_with_a_bound_bounds_the_features) {
  const auto bounded = [](Activation last) { return feature_network(2, {{3, Activation::tanh}, {2, last}})->bounded(); };
  CHECK(bounded(Activation::tanh) && bounded(Activation::sigmoid));
  CHECK(!bounded(Activation::relu) && !bounded(Activation::identity));
}

TEST(wrong_arguments) {
  const double nan = std::nan("");
  const auto make = [](double dropout, double deviation = 0.1, double bias = 0.1) {
    return feature_network(2, {{3, Activation::relu, dropout}}, {deviation, bias});
  };
  CHECK_THROWS(std::invalid_argument, feature_network(0, {{3}}));
  CHECK_THROWS(std::invalid_argument, feature_network(2, {}));
  CHECK_THROWS(std::invalid_argument, feature_network(2, {{3}, {0}}));
  for (const double share : {-0.1, 1.0, nan}) CHECK_THROWS(std::invalid_argument, make(share));
  for (const double x : {-1.0, nan}) CHECK_THROWS(std::invalid_argument, make(0.0, x));
  CHECK_THROWS(std::invalid_argument, make(0.0, 0.1, nan));

  const auto map = make(0.5);
  const std::vector<double> theta = map->start(0);
  std::vector<double> bar(theta.size());
  const auto X = normal<double>(4, 2, 39);
  naive::Matrix<double> Z(4, 3), narrow(4, 2), low(3, 3);
  CHECK_THROWS(std::invalid_argument, map->reverse(Z.view, bar.data()));  // no forward pass
  CHECK_THROWS(std::invalid_argument, map->forward(theta.data(), Z.view, Z.view, {}));
  CHECK_THROWS(std::invalid_argument, map->forward(theta.data(), X.view, narrow.view, {}));
  CHECK_THROWS(std::invalid_argument, map->forward(theta.data(), X.view, low.view, {}));
  map->forward(theta.data(), X.view, Z.view, {});
  CHECK_THROWS(std::invalid_argument, map->reverse(low.view, bar.data()));
}

TEST_MAIN
