// SPDX-License-Identifier: BSD-3-Clause
// Fixed features are those of their map, in any thread.
#include "gramian/layers/fixed_features.hpp"

#include <limits>
#include <thread>
#include <vector>

#include "gramian/layers/random_features.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using Dense = spectral::Matrix;

namespace {

const std::vector<DenseLayer> layers = {{7, Activation::tanh, 0.3}, {4, Activation::relu, 0.0}};

Dense features_by(FeatureMap& map, const std::vector<double>& theta, const Dense& X) {
  Dense Z(X.rows(), map.outputs());
  map.forward(theta.data(), view(X), view(Z), {});
  return Z;
}

Dense features_by(const FixedFeatures& features, const Dense& X) {
  Dense Z(X.rows(), features.outputs());
  features.apply(view(X), view(Z));
  return Z;
}

/// Twice its input, times its only parameter.
struct Doubled final : FeatureMap {
  Index inputs() const override { return 2; }
  Index outputs() const override { return 2; }
  Index parameter_count() const override { return 1; }
  std::vector<double> start(std::uint64_t) const override { return {1.0}; }
  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass&) override {
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < 2; ++j) Z(i, j) = 2.0 * theta[0] * X(i, j);
    }
  }
  void reverse(MatrixView<const double>, double*) override {}
};

}  // namespace

TEST(features_are_those_of_the_map) {
  const Dense X = spectral::normal(11, 3, 1);
  const auto network = feature_network(3, layers);
  const std::vector<double> theta = network->start(5);
  CHECK(features_by(FixedFeatures(NetworkFeatures{layers}, 3, theta), X) == features_by(*network, theta, X));
  const Kernel kernel("matern32", {0.7});
  const auto fourier = random_fourier_features(kernel, 3, 10, 9);
  const FixedFeatures fixed(FourierFeatures{kernel, 10, 9}, 3);
  CHECK(fixed.theta() == fourier->start(0));
  CHECK(features_by(fixed, X) == features_by(*fourier, fourier->start(0), X));
  const Dense two = spectral::normal(5, 2, 2);
  const FixedFeatures own(OwnFeatures([] { return std::make_unique<Doubled>(); }), 2, {3.0});
  CHECK(features_by(own, two) == Dense(6.0 * two));
}

TEST(threads_share_them) {
  const Dense X = spectral::normal(40, 3, 3);
  const FixedFeatures features(NetworkFeatures{layers}, 3, feature_network(3, layers)->start(1));
  const Dense wanted = features_by(features, X);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      const FixedFeatures copy = features;
      for (int turn = 0; turn < 50; ++turn) CHECK(features_by(copy, X) == wanted);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(arguments_that_do_not_fit) {
  const std::vector<double> theta = feature_network(3, layers)->start(1);
  CHECK_THROWS(std::invalid_argument, FixedFeatures(NetworkFeatures{layers}, 2, theta));
  CHECK_THROWS(std::invalid_argument, FixedFeatures(NetworkFeatures{{}}, 3, theta));
  std::vector<double> broken = theta;
  broken[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, FixedFeatures(NetworkFeatures{layers}, 3, broken));
  CHECK_THROWS(std::invalid_argument, FixedFeatures(FourierFeatures{Kernel("linear", {}), 4, 0}, 3));
  CHECK_THROWS(std::invalid_argument, FixedFeatures(OwnFeatures([] { return std::make_unique<Doubled>(); }), 3));
  const FixedFeatures features(NetworkFeatures{layers}, 3, theta);
  Dense X(4, 2), Z(4, 4);
  CHECK_THROWS(std::invalid_argument, features.apply(view(X), view(Z)));
}

TEST_MAIN
