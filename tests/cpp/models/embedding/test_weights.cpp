// SPDX-License-Identifier: BSD-3-Clause
// The embedding of all samples against its formulas, in each of the forms that it has.
#include "models/embedding/weights.hpp"

#include <cmath>

#include "gramian/layers/feature_network.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

const Sample data(30, 3, 4, 0.4, 1);
const double lambda = 0.02;

embedding::Model embedded(const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
                          const embedding::Options& options = {}) {
  embedding::Model model;
  embedding::embed({data.view(), kernel, features, theta.data(), lambda}, options, model);
  return model;
}

Dense weights_of(const embedding::Model& model) {
  return Dense::NullaryExpr(model.weights.rows(), model.weights.cols(), [&](Index i, Index j) { return model.weights(i, j); });
}

/// V = (K + n lambda I)^-1 Y.
Dense expected(const Value& k) {
  Dense system = gram(k, data.X, data.X);
  system.diagonal().array() += static_cast<double>(data.size()) * lambda;
  return system.ldlt().solve(data.one_hot());
}

double relative(const Dense& a, const Dense& b) { return (a - b).norm() / b.norm(); }

}  // namespace

TEST(weights_of_a_kernel_solve_the_system_of_samples) {
  const Kernel kernel("gaussian", {0.5}, {1.0, 2.0, 0.5, 1.0});
  const embedding::Model model = embedded(&kernel, nullptr, {});
  const Value k = gaussian(1.0, {1.0, 2.0, 0.5, 1.0});
  CHECK(model.form == embedding::Form::gram);
  CHECK(relative(weights_of(model), expected(k)) <= 1e-10);
  // [MCE] (9): r = alpha sqrt(tr(V^T K V)) / sqrt(n), up to the factors of the definition; it is 0 of no function alone.
  CHECK(model.complexity > 0.0);
  CHECK_EQ(model.sensitivity, 1.0);
  CHECK(model.risk > 0.0 && model.risk < std::log(3.0));
}

TEST(weights_of_features_solve_the_smaller_system) {
  const auto map = feature_network(4, {{6, Activation::tanh}}, {});
  const std::vector<double> theta = map->start(3);
  const Matrix Z = embedding::features_of(*map, theta.data(), data.points());
  CHECK_EQ(Z.cols(), 6);
  const Dense F = Dense::NullaryExpr(Z.rows(), Z.cols(), [&](Index i, Index j) { return Z(i, j); });
  const embedding::Model model = embedded(nullptr, map.get(), theta);
  Dense system = F.transpose() * F;
  system.diagonal().array() += 30.0 * lambda;
  CHECK(model.form == embedding::Form::features);
  CHECK(relative(weights_of(model), system.ldlt().solve(F.transpose() * data.one_hot())) <= 1e-10);
}

TEST(a_linear_kernel_has_weights_of_unit_vectors_unless_samples_are_kept) {
  const Kernel kernel = 2.0 * Kernel("linear", {});
  const embedding::Model coordinates = embedded(&kernel, nullptr, {});
  CHECK_EQ(coordinates.weights.rows(), 4);
  embedding::Options options;
  options.keep_samples = true;
  const embedding::Model samples = embedded(&kernel, nullptr, {}, options);
  CHECK_EQ(samples.weights.rows(), 30);
  CHECK(relative(weights_of(coordinates), data.X.transpose() * weights_of(samples)) <= 1e-10);
  CHECK_NEAR(coordinates.risk, samples.risk, 1e-10);
  CHECK_NEAR(coordinates.complexity, samples.complexity, 1e-10);
}

TEST(all_samples_as_landmarks_are_the_exact_embedding) {
  const Kernel kernel("gaussian", {0.5});
  embedding::Options options;
  for (Index i = 0; i < 30; ++i) options.landmarks.push_back(i);
  const Dense exact = weights_of(embedded(&kernel, nullptr, {})), landmarks = weights_of(embedded(&kernel, nullptr, {}, options));
  const Dense K = gram(gaussian(1.0, {1, 1, 1, 1}), data.X, data.X);
  CHECK(relative(K * landmarks, K * exact) <= 1e-8);
}

TEST_MAIN
