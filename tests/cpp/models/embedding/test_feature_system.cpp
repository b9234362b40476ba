// SPDX-License-Identifier: BSD-3-Clause
// The system of explicit features against its formula: of rows, and of sums.
#include "models/embedding/feature_system.hpp"

#include <cmath>

#include "gramian/base/error.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;
using support::relative;

namespace {

constexpr double lambda = 0.02;

/// More rows than one block has, if n is large.
Sample weighted(Index n) {
  Sample sample(n, 3, 4, 0.9, 4);
  for (Index i = 0; i < n; ++i) sample.weights.push_back(i % 4 == 0 ? 2.5 : 0.75);
  return sample;
}

const auto coordinates = [](const Points& X, MatrixView<double> Z) {
  for (Index i = 0; i < Z.rows(); ++i) {
    for (Index j = 0; j < Z.cols(); ++j) Z(i, j) = X.float64()(i, j);
  }
};

Eigen::VectorXd weights_of(const Sample& sample) {
  return Eigen::VectorXd::NullaryExpr(sample.size(), [&](Index i) { return sample.weight(i); });
}

Dense square_of(const Sample& sample) { return sample.X.transpose() * weights_of(sample).asDiagonal() * sample.X; }
Dense right_of(const Sample& sample) { return sample.X.transpose() * weights_of(sample).asDiagonal() * sample.one_hot(); }

Dense solution(const Sample& sample) {
  Dense system = square_of(sample);
  system.diagonal().array() += sample.total() * lambda;
  return system.ldlt().solve(right_of(sample));
}

NormalSystem sums_of(const Sample& sample) {
  const Dense square = square_of(sample), right = right_of(sample);
  return {Matrix::copy_of(view(square)), Matrix::copy_of(view(right)), {}};
}

}  // namespace

TEST(rows_and_their_sums_have_one_solution) {
  for (const Index n : {20, 5000}) {
    const Sample sample = weighted(n);
    embedding::FeatureSystem rows(sample.view(), 4, lambda, coordinates);
    embedding::FeatureSystem sums(sample.view(), sums_of(sample), sample.total(), lambda, coordinates);
    CHECK(relative(support::dense(rows.W()), solution(sample)) <= 1e-10);
    CHECK(relative(support::dense(sums.W()), solution(sample)) <= 1e-10);
    const Calibration of_rows = rows.calibration(), of_sums = sums.calibration();
    CHECK_NEAR(of_sums.inverse_temperature / of_rows.inverse_temperature, 1.0, 1e-9);
    CHECK_EQ(of_sums.uniform_share, of_rows.uniform_share);
    embedding::Model one, other;
    rows.describe(0.0, 1e-15, one);
    sums.describe(0.0, 1e-15, other);
    CHECK_NEAR(one.risk / other.risk, 1.0, 1e-9);
    CHECK_EQ(one.sensitivity, other.sensitivity);
    CHECK_NEAR(one.sensitivity, sample.X.rowwise().norm().maxCoeff(), 1e-12);
    CHECK_NEAR(one.complexity, one.sensitivity * solution(sample).norm(), 1e-9);
    CHECK_EQ(one.accuracy, other.accuracy);
    CHECK_EQ(one.predicted, other.predicted);
  }
}

TEST(a_sample_is_described_by_the_solution_of_all_rows) {
  const Sample all = weighted(400);
  Sample some = weighted(400);
  for (std::size_t i = 100; i < some.weights.size(); ++i) some.weights[i] = 0.0;
  embedding::FeatureSystem system(some.view(), sums_of(all), all.total(), lambda, coordinates);
  CHECK(relative(support::dense(system.W()), solution(all)) <= 1e-10);
  CHECK_EQ(system.calibration(400).uniform_share, 1.0 / 401.0);
  embedding::Model model;
  system.describe(2.0, 1e-15, model);
  CHECK_EQ(model.sensitivity, 2.0);
  const Dense f = all.X.topRows(100) * solution(all);
  double risk = 0.0;
  for (Index i = 0; i < 100; ++i) {
    risk -= all.weight(i) * std::log(std::min(1.0, std::max(1e-15, f(i, all.labels[static_cast<std::size_t>(i)]))));
  }
  CHECK_NEAR(model.risk, risk / some.total(), 1e-9);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Sample sample = weighted(5000);
  CHECK(check::same_for_any_threads([&] {
    embedding::FeatureSystem system(sample.view(), 4, lambda, coordinates);
    const double b = system.calibration().inverse_temperature;
    embedding::Model model;
    system.describe(0.0, 1e-15, model);
    return std::make_pair(b, model.risk);
  }));
}

TEST(what_can_not_be_factored_says_what_helps) {
  const Sample sample = weighted(20);
  NormalSystem sums = sums_of(sample);
  sums.square(0, 0) = -1e9;
  CHECK_THROWS(NumericalError, embedding::FeatureSystem(sample.view(), std::move(sums), 1.0, lambda, coordinates));
}

TEST_MAIN
