// SPDX-License-Identifier: BSD-3-Clause
// A classifier of sums over all samples against the one that sees them.
#include "gramian/models/embedding/sums.hpp"

#include <limits>

#include "gramian/base/error.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;
using support::relative;

namespace {

const std::vector<Index> landmarks = {1, 4, 9, 20, 31, 40};

embedding::Options as_given(double lambda = 0.01) {
  embedding::Options options;
  options.learning = embedding::AsGiven{};
  options.lambda = lambda;
  return options;
}

Sample weighted(Index n) {
  Sample sample(n, 3, 3, 0.9, 4);
  for (Index i = 0; i < n; ++i) sample.weights.push_back(i % 4 == 0 ? 2.5 : 0.75);
  return sample;
}

struct Problem {
  explicit Problem(const Sample& sample, const Kernel& k)
      : all(sample), Z(sample.X(landmarks, Eigen::all)), kernel(k), features(k, Points(view(Z))) {}

  embedding::SummedSamples sums() const {
    const Dense Y = all.one_hot(), w = Dense::NullaryExpr(all.size(), 1, [&](Index i, Index) { return all.weight(i); });
    return {features.system(all.points(), view(w), view(Y)), all.total(), all.size()};
  }
  embedding::Model summed(const Sample& sample, const embedding::Options& options = as_given()) const {
    return embedding::fit_sums(features, sums(), sample.view(), options);
  }
  Dense decision(const embedding::Model& model, const std::vector<Index>& rows) const {
    const Dense V =
        Dense::NullaryExpr(model.weights.rows(), model.weights.cols(), [&](Index i, Index j) { return model.weights(i, j); });
    return gram(gaussian(1.0, {1, 1, 1}), all.X, all.X(rows, Eigen::all)) * V;
  }

  Sample all;
  Dense Z;
  Kernel kernel;
  LandmarkFeatures features;
};

}  // namespace

TEST(sums_give_the_classifier_of_the_samples) {
  for (const Sample& sample : {Sample(60, 3, 3, 0.9, 4), weighted(60)}) {
    const Problem problem(sample, Kernel("gaussian", {0.5}));
    embedding::Options options = as_given();
    options.landmarks = landmarks;
    const embedding::Model expected = embedding::fit(sample.view(), &problem.kernel, nullptr, options).model;
    const embedding::Model found = problem.summed(sample);
    std::vector<Index> rows;
    for (const Index pivot : found.landmarks) rows.push_back(landmarks[static_cast<std::size_t>(pivot)]);
    CHECK_EQ(rows.size(), landmarks.size());
    CHECK(relative(problem.decision(found, rows), problem.decision(expected, landmarks)) <= 1e-9);
    CHECK_NEAR(found.calibration->inverse_temperature / expected.calibration->inverse_temperature, 1.0, 1e-8);
    CHECK_EQ(found.calibration->uniform_share, expected.calibration->uniform_share);
    CHECK_NEAR(found.risk, expected.risk, 1e-9);
    CHECK_NEAR(found.complexity, expected.complexity, 1e-9);
    CHECK_EQ(found.sensitivity, expected.sensitivity);
    CHECK_EQ(found.accuracy, expected.accuracy);
    CHECK_EQ(found.lambda, expected.lambda);
    CHECK(found.form == expected.form);
  }
}

TEST(what_nothing_bounds_is_the_largest_of_the_sample) {
  const Sample sample = weighted(60);
  const Problem problem(sample, Kernel("linear", {}));
  const embedding::Model found = problem.summed(sample);
  CHECK_NEAR(found.sensitivity, sample.X.rowwise().norm().maxCoeff(), 1e-12);
  CHECK_EQ(static_cast<Index>(found.landmarks.size()), 3);  // landmarks that depend on others are left out
  embedding::Options options = as_given();
  options.sensitivity = 2.0;
  options.probabilities = embedding::Probabilities::clip;
  const embedding::Model other = problem.summed(sample, options);
  CHECK_EQ(other.sensitivity, 2.0);
  CHECK(!other.calibration.has_value());
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Sample sample = weighted(900);
  const Problem problem(sample, Kernel("gaussian", {0.5}));
  CHECK(check::same_for_any_threads([&] {
    const embedding::Model found = problem.summed(sample);
    return std::make_pair(problem.decision(found, landmarks).eval(), found.calibration->inverse_temperature);
  }));
}

TEST(bad_sums_are_refused) {
  const Sample sample = weighted(60);
  const Problem problem(sample, Kernel("gaussian", {0.5}));
  const auto refused = [&](const auto& spoil) {
    embedding::SummedSamples sums = problem.sums();
    embedding::Options options = as_given();
    spoil(sums, options);
    CHECK_THROWS(std::invalid_argument, embedding::fit_sums(problem.features, std::move(sums), sample.view(), options));
  };
  using Sums = embedding::SummedSamples;
  using Options = embedding::Options;
  refused([](Sums& sums, Options&) { sums.weight = 0.0; });
  refused([](Sums& sums, Options&) { sums.count = 0; });
  refused([](Sums& sums, Options&) { sums.system.square = Matrix::filled(2, 2, 1.0); });
  refused([](Sums& sums, Options&) { sums.system.right = Matrix::filled(6, 2, 1.0); });
  refused([](Sums& sums, Options&) { sums.system.right(0, 0) = std::numeric_limits<double>::infinity(); });
  refused([](Sums&, Options& options) { options.lambda = 0.0; });
  refused([](Sums&, Options& options) { options.epsilon = 1.0; });
}

TEST_MAIN
