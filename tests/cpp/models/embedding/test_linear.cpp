// SPDX-License-Identifier: BSD-3-Clause
// Linear kernels by the coordinates of points.
#include "models/embedding/linear.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/feature_gradient.hpp"

using namespace gramian;

namespace {

const Kernel linear("linear", {});
const Kernel stretched = 2.0 * (0.5 * Kernel("linear", {}, {0.5, 1.0, 4.0}));

std::vector<Kernel> kernels() { return {linear, 3.0 * linear, Kernel("linear", {}, {0.5, 1.0, 4.0}), stretched}; }

}  // namespace

TEST(inner_products_of_features_are_values_of_the_kernel) {
  const naive::Matrix<double> X = naive::normal<double>(5, 3, 1);
  for (const Kernel& kernel : kernels()) {
    embedding::LinearFeatures features(kernel, 3);
    naive::Matrix<double> Z(5, 3), K(5, 5);
    features.forward(features.start(0).data(), X.view, Z.view, {});
    full(kernel, Points(X.view), K.view);
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 5; ++j) {
        double inner = 0.0;
        for (Index k = 0; k < 3; ++k) inner += Z(i, k) * Z(j, k);
        CHECK_NEAR(inner, K(i, j), 1e-13);
      }
    }
  }
}

TEST(the_reverse_pass_is_that_of_differences) {
  const naive::Matrix<double> X = naive::normal<double>(5, 3, 2);
  embedding::LinearFeatures features(stretched, 3);
  const std::vector<double> theta = features.start(0);
  CHECK_EQ(features.parameter_count(), 5);
  const features::Reference reference{features::by_engine(features, X.view, {}), 1e-3L, 1e-15L};
  features::check_reverse("linear", features, theta, X.view, {}, 15, reference);
}

TEST(weights_of_unit_vectors_give_the_same_function) {
  embedding::LinearFeatures features(stretched, 3);
  const std::vector<double> theta = features.start(0);
  const naive::Matrix<double> X = naive::normal<double>(4, 3, 3);
  Matrix W = Matrix::filled(3, 2, 1.0);
  for (Index i = 0; i < 6; ++i) W.data()[i] = std::sin(1.0 + static_cast<double>(i));
  naive::Matrix<double> Z(4, 3), K(4, 3);
  features.forward(theta.data(), X.view, Z.view, {});
  const Matrix before = W.clone(), units = embedding::unit_vectors(3);
  features.to_unit_vectors(theta.data(), W.view());
  full(stretched, Points(X.view), Points(units.view()), K.view);
  for (Index i = 0; i < 4; ++i) {
    for (Index c = 0; c < 2; ++c) {
      double by_features = 0.0, by_units = 0.0;
      for (Index j = 0; j < 3; ++j) {
        by_features += Z(i, j) * before(j, c);
        by_units += K(i, j) * W(j, c);
      }
      CHECK_NEAR(by_units, by_features, 1e-13);
    }
  }
}

TEST(other_kernels_are_refused) {
  CHECK_THROWS(std::invalid_argument, embedding::LinearFeatures(Kernel("gaussian", {1.0}), 3));
  CHECK_THROWS(std::invalid_argument, embedding::LinearFeatures(stretched, 2));
}

TEST_MAIN
