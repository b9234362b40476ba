// SPDX-License-Identifier: BSD-3-Clause
// The embedding of all samples against its formulas, in each of the forms that it has.
#include "models/embedding/weights.hpp"

#include <cmath>

#include "gramian/layers/feature_network.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;
using support::relative;

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

namespace {

/// f(x_i) of the embedding of all other samples, at a penalty that is the same number.
template <class Refit>
Dense left_out(const Sample& sample, Refit refit) {
  Dense values(sample.size(), sample.classes);
  for (Index i = 0; i < sample.size(); ++i) {
    Sample others = sample;
    others.weights.assign(static_cast<std::size_t>(sample.size()), 1.0);
    if (!sample.weights.empty()) others.weights = sample.weights;
    others.weights[static_cast<std::size_t>(i)] = 0.0;
    values.row(i) = refit(others, i);
  }
  return values;
}

/// (F^T D F + shift I)^-1 F^T D Y of rows with these weights, applied to row i.
Dense ridge_of(const Dense& F, const Sample& others, double shift, Index i) {
  Eigen::VectorXd w(others.size());
  for (Index k = 0; k < others.size(); ++k) w[k] = others.weight(k);
  Dense system = F.transpose() * w.asDiagonal() * F;
  system.diagonal().array() += shift;
  const Dense right = F.transpose() * w.asDiagonal() * others.one_hot();
  return F.row(i) * system.ldlt().solve(right);
}

void check_calibration_of(const embedding::Model& model, const Sample& sample, const Dense& values) {
  const double* weights = sample.weights.empty() ? nullptr : sample.weights.data();
  const Calibration wanted = calibrate(gramian::view(values), sample.labels.data(), weights);
  CHECK(model.calibration.has_value());
  CHECK_NEAR(model.calibration->inverse_temperature / wanted.inverse_temperature, 1.0, 1e-6);
  CHECK_EQ(model.calibration->uniform_share, wanted.uniform_share);
}

Sample weighted() {
  Sample sample(24, 3, 3, 0.9, 4);
  for (Index i = 0; i < 24; ++i) sample.weights.push_back(i % 4 == 0 ? 2.5 : 0.75);
  return sample;
}

embedding::Model embedded_of(const Sample& sample, const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
                             const embedding::Options& options = {}) {
  embedding::Model model;
  embedding::embed({sample.view(), kernel, features, theta.data(), lambda}, options, model);
  return model;
}

}  // namespace

TEST(a_calibration_is_of_samples_that_were_left_out) {
  const Kernel kernel("gaussian", {0.5});
  const auto map = feature_network(3, {{5, Activation::tanh}}, {});
  const std::vector<double> theta = map->start(3);
  for (const Sample& sample : {Sample(24, 3, 3, 0.9, 4), weighted()}) {
    const double shift = sample.total() * lambda;
    const Dense K = gram(gaussian(1.0, {1, 1, 1}), sample.X, sample.X);
    const Dense L = K.llt().matrixL();  // rows that have the inner products of K
    check_calibration_of(embedded_of(sample, &kernel, nullptr, {}), sample,
                         left_out(sample, [&](const Sample& others, Index i) { return ridge_of(L, others, shift, i); }));
    const Matrix Z = embedding::features_of(*map, theta.data(), sample.points());
    const Dense F = Dense::NullaryExpr(Z.rows(), Z.cols(), [&](Index i, Index j) { return Z(i, j); });
    check_calibration_of(embedded_of(sample, nullptr, map.get(), theta), sample,
                         left_out(sample, [&](const Sample& others, Index i) { return ridge_of(F, others, shift, i); }));
    const Kernel linear = 2.0 * Kernel("linear", {});
    const Dense X = std::sqrt(2.0) * sample.X;
    check_calibration_of(embedded_of(sample, &linear, nullptr, {}), sample,
                         left_out(sample, [&](const Sample& others, Index i) { return ridge_of(X, others, shift, i); }));
    embedding::Options options;
    options.landmarks = {1, 4, 9, 20};
    const Dense K_SS = K(options.landmarks, options.landmarks), K_XS = K(Eigen::all, options.landmarks);
    const Dense root = K_SS.llt().matrixL();
    const Dense N = root.triangularView<Eigen::Lower>().solve(K_XS.transpose()).transpose();
    check_calibration_of(embedded_of(sample, &kernel, nullptr, {}, options), sample,
                         left_out(sample, [&](const Sample& others, Index i) { return ridge_of(N, others, shift, i); }));
  }
}

TEST(clipped_probabilities_have_no_calibration) {
  const Kernel kernel("gaussian", {0.5});
  embedding::Options options;
  options.probabilities = embedding::Probabilities::clip;
  CHECK(!embedded(&kernel, nullptr, {}, options).calibration.has_value());
  options.landmarks = {1, 2, 3};
  CHECK(!embedded(&kernel, nullptr, {}, options).calibration.has_value());
}

TEST_MAIN
