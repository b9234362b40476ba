// SPDX-License-Identifier: BSD-3-Clause
// The embedding for a given kernel and lambda, by its formulas.
#include "gramian/models/embedding/classifier.hpp"

#include <algorithm>
#include <stdexcept>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/layers/feature_network.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

const std::vector<double> lengths = {0.7, 0.9, 2.0};
const Kernel kernel = 1.7 * Kernel("gaussian", {0.5}, lengths);
const Value value = gaussian(1.7, lengths);
constexpr double lambda = 0.02;

embedding::Options as_given() {
  embedding::Options options;
  options.learning = embedding::AsGiven();
  options.lambda = lambda;
  return options;
}

Sample data() { return {60, 3, 3, 0.7, 1}; }
Dense queries(Index q) { return spectral::normal(q, 3, 9); }

double mean_loss(const Sample& sample, const Dense& f) {
  double sum = 0.0;
  for (Index i = 0; i < sample.size(); ++i) {
    const double p = f(i, sample.labels[static_cast<std::size_t>(i)]);
    sum -= sample.weight(i) * std::log(std::clamp(p, 1e-15, 1.0));
  }
  return sum / sample.total();
}

/// One linear layer: features that are known by a formula.
struct Linear {
  Linear(Index inputs, Index outputs) : map(feature_network(inputs, {{outputs, Activation::identity}})) {
    W = spectral::normal(outputs, inputs, 3);
    theta.assign(W.data(), W.data() + W.size());
    theta.resize(static_cast<std::size_t>(map->parameter_count()), 0.25);
  }
  Dense operator()(const Dense& X) const { return (X * W.transpose()).array() + 0.25; }
  std::unique_ptr<FeatureMap> map;
  Dense W;
  std::vector<double> theta;
};

}  // namespace

TEST(decision_complexity_and_risk_are_their_formulas) {
  const Sample sample = data();
  const embedding::Fit fit = embedding::fit(sample.view(), &kernel, nullptr, as_given());
  const Dense X = queries(17), wanted = decision(value, sample, lambda, X);
  CHECK_NEAR((predicted(fit.model, nullptr, sample.points(), X) - wanted).cwiseAbs().maxCoeff(), 0.0, 1e-12);

  const Dense K = gram(value, sample.X, sample.X);
  Dense system = K;
  system.diagonal().array() += 60.0 * lambda;
  const Dense V = system.ldlt().solve(sample.one_hot());
  const double r = std::sqrt(1.7 * (V.transpose() * K * V).trace());
  CHECK_NEAR(fit.model.complexity, r, 1e-11 * r);
  CHECK_NEAR(fit.model.sensitivity, std::sqrt(1.7), 1e-14);
  const double risk = mean_loss(sample, K * V);
  CHECK_NEAR(fit.model.risk, risk, 1e-11);
  const double e = std::exp(1.0);
  CHECK_NEAR(fit.objective, 60.0 * risk + 4.0 * e * r, 1e-9);
  CHECK_NEAR(embedding::risk_bound(fit.model, 60, 0.1), risk + 4.0 * e * r + std::sqrt(8.0 / 60.0 * std::log(20.0)), 1e-10);
  CHECK(fit.model.form == embedding::Form::gram);

  // Nothing was searched: one entry, of what was found.
  Index right = 0;
  const Dense outputs = K * V;
  for (Index i = 0; i < 60; ++i) {
    Index best = 0;
    outputs.row(i).maxCoeff(&best);
    right += best == sample.labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  CHECK_NEAR(fit.model.accuracy, static_cast<double>(right) / 60.0, 1e-14);
  CHECK(fit.history.size() == 1 && fit.result.history.size() == 1 && fit.result.iterations == 0);
  CHECK(fit.history[0].value == fit.objective && fit.result.history[0].value == fit.objective);
  CHECK_NEAR(fit.history[0].terms.risk, 60.0 * risk, 1e-9);
  CHECK_NEAR(fit.history[0].terms.complexity, r, 1e-11 * r);
  CHECK_EQ(fit.history[0].terms.accuracy, fit.model.accuracy);
}

TEST(weights_are_repetitions) {
  Sample sample = data();
  for (Index i = 0; i < sample.size(); ++i) sample.weights.push_back(static_cast<double>(i % 4));
  const Sample again = sample.repeated();
  const Dense X = queries(9);
  Linear linear(3, 2);
  for (const bool explicit_form : {false, true}) {
    const Kernel* k = explicit_form ? nullptr : &kernel;
    FeatureMap* map = explicit_form ? linear.map.get() : nullptr;
    const std::vector<double> theta = explicit_form ? linear.theta : std::vector<double>();
    const embedding::Fit ours = embedding::fit(sample.view(), k, map, as_given(), theta);
    const embedding::Fit theirs = embedding::fit(again.view(), k, map, as_given(), theta);
    const Dense a = predicted(ours.model, map, sample.points(), X), b = predicted(theirs.model, map, again.points(), X);
    CHECK_NEAR((a - b).cwiseAbs().maxCoeff(), 0.0, 1e-11);
    CHECK_NEAR(ours.model.complexity, theirs.model.complexity, 1e-10);
    CHECK_NEAR(ours.model.risk, theirs.model.risk, 1e-10);
    CHECK_NEAR(ours.objective, theirs.objective, 1e-8);
    CHECK((a - predicted(embedding::fit(data().view(), k, map, as_given(), theta).model, map, data().points(), X))
              .cwiseAbs()
              .maxCoeff() > 1e-3);
  }
}

TEST(explicit_features_are_a_linear_kernel_on_them) {
  const Sample sample = data();
  Linear linear(3, 5);
  Sample images = sample;
  images.X = linear(sample.X);
  const Value product = [](const Dense& X, Index i, const Dense& Y, Index j) { return X.row(i).dot(Y.row(j)); };
  const embedding::Fit fit = embedding::fit(sample.view(), nullptr, linear.map.get(), as_given(), linear.theta);
  const Dense X = queries(11), wanted = decision(product, images, lambda, linear(X));
  const Points none{MatrixView<const double>()};
  CHECK(fit.model.form == embedding::Form::features && fit.model.weights.rows() == 5);
  CHECK_NEAR((predicted(fit.model, linear.map.get(), none, X) - wanted).cwiseAbs().maxCoeff(), 0.0, 1e-11);
  CHECK_NEAR(fit.model.sensitivity, images.X.rowwise().norm().maxCoeff(), 1e-12);
  Eigen::Map<const Dense> W(fit.model.weights.data(), 5, 3);
  CHECK_NEAR(fit.model.complexity, fit.model.sensitivity * W.norm(), 1e-11);
  CHECK_NEAR(fit.model.risk, mean_loss(sample, images.X * W), 1e-12);

  // A linear kernel that is given says the same.
  const Kernel given("linear", {});
  const embedding::Fit same = embedding::fit(sample.view(), &given, linear.map.get(), as_given(), linear.theta);
  CHECK(!same.model.kernel && same.model.complexity == fit.model.complexity);
}

TEST(a_linear_kernel_is_embedded_in_its_coordinates) {
  Sample sample = data();
  for (Index i = 0; i < sample.size(); ++i) sample.weights.push_back(0.5 + static_cast<double>(i % 3));
  sample.weights[5] = 0.0;
  const Kernel plain("linear", {}), scaled = 2.5 * (0.5 * Kernel("linear", {}, lengths));
  const Dense X = queries(11);
  for (const Kernel& k : {plain, scaled}) {
    for (const embedding::Learning& way :
         {embedding::Learning(embedding::AsGiven()), embedding::Learning(embedding::RiskSearch())}) {
      embedding::Options options = learning_by(way, 20);
      options.lambda = lambda;
      const embedding::Fit ours = embedding::fit(sample.view(), &k, nullptr, options);
      options.keep_samples = true;
      const embedding::Fit theirs = embedding::fit(sample.view(), &k, nullptr, options);
      CHECK(ours.model.form == embedding::Form::features && theirs.model.form == embedding::Form::gram);
      CHECK(ours.model.kernel && ours.model.weights.rows() == 3);
      CHECK_NEAR(
          (predicted(ours.model, nullptr, sample.points(), X) - predicted(theirs.model, nullptr, sample.points(), X)).norm(), 0.0,
          1e-8);
      // What supports it is unit vectors.
      Dense by_units(X.rows(), 3);
      const Dense units = Dense::Identity(3, 3);
      product(*ours.model.kernel, Points(view(X)), Points(view(units)), ours.model.weights.view(), view(by_units));
      CHECK_NEAR((predicted(ours.model, nullptr, Points(MatrixView<const double>()), X) - by_units).norm(), 0.0, 1e-13);
      CHECK_NEAR(ours.model.complexity, theirs.model.complexity, 1e-8);
      CHECK_NEAR(ours.model.sensitivity, theirs.model.sensitivity, 1e-10);
      CHECK_NEAR(ours.model.risk, theirs.model.risk, 1e-8);
      CHECK_NEAR(ours.objective, theirs.objective, 1e-7);
    }
  }
  embedding::Options supported = as_given();
  supported.landmarks = {1, 5};
  CHECK(embedding::fit(sample.view(), &plain, nullptr, supported).model.form == embedding::Form::gram);
}

TEST(a_constant_classifier_is_known_as_one) {
  const Sample sample = data();
  Linear linear(3, 5);
  embedding::Options options = as_given();
  for (FeatureMap* map : {static_cast<FeatureMap*>(nullptr), static_cast<FeatureMap*>(linear.map.get())}) {
    const std::vector<double> theta = map == nullptr ? std::vector<double>() : linear.theta;
    const Kernel* k = map == nullptr ? &kernel : nullptr;
    const embedding::Fit fit = embedding::fit(sample.view(), k, map, options, theta);
    const Dense f = predicted(fit.model, map, sample.points(), sample.X);
    std::vector<bool> seen(3, false);
    for (Index i = 0; i < f.rows(); ++i) {
      Index best = 0;
      f.row(i).maxCoeff(&best);
      seen[static_cast<std::size_t>(best)] = true;
    }
    CHECK_EQ(fit.model.predicted, std::count(seen.begin(), seen.end(), true));
    CHECK(fit.model.predicted > 1);
  }
  Sample heavy = sample;  // one class that outweighs all others everywhere
  for (Index i = 0; i < 60; ++i) heavy.weights.push_back(i % 3 == 1 ? 1e6 : 1.0);
  options.lambda = 10.0;
  CHECK_EQ(embedding::fit(heavy.view(), &kernel, nullptr, options).model.predicted, 1);
}

TEST(more_features_than_samples_take_systems_of_samples) {
  Sample sample = data();
  for (Index i = 0; i < sample.size(); ++i) sample.weights.push_back(static_cast<double>(i % 4));
  for (const Index p : {60, 90}) {
    Linear linear(3, p);
    const embedding::Fit fit = embedding::fit(sample.view(), nullptr, linear.map.get(), as_given(), linear.theta);
    CHECK(fit.model.form == embedding::Form::features && fit.model.weights.rows() == p);
    const Dense Z = linear(sample.X), D = Eigen::Map<const Eigen::VectorXd>(sample.weights.data(), 60).asDiagonal();
    Dense system = Z.transpose() * D * Z;
    system.diagonal().array() += sample.total() * lambda;
    const Dense wanted = system.ldlt().solve(Z.transpose() * D * sample.one_hot());
    Eigen::Map<const Dense> W(fit.model.weights.data(), p, 3);
    CHECK_NEAR((W - wanted).cwiseAbs().maxCoeff(), 0.0, 1e-10);
    CHECK_NEAR(fit.model.complexity, fit.model.sensitivity * wanted.norm(), 1e-9);
    CHECK_NEAR(fit.model.risk, mean_loss(sample, Z * wanted), 1e-9);
  }
}

TEST(a_kernel_on_features_sees_features) {
  const Sample sample = data();
  Linear linear(3, 3);
  Sample images = sample;
  images.X = linear(sample.X);
  const embedding::Fit fit = embedding::fit(sample.view(), &kernel, linear.map.get(), as_given(), linear.theta);
  const Dense X = queries(11), wanted = decision(value, images, lambda, linear(X));
  CHECK_NEAR((predicted(fit.model, linear.map.get(), sample.points(), X) - wanted).cwiseAbs().maxCoeff(), 0.0, 1e-11);
}

TEST(all_samples_as_landmarks_are_the_exact_embedding) {
  const Sample sample = data();
  embedding::Options options = as_given();
  const embedding::Fit exact = embedding::fit(sample.view(), &kernel, nullptr, options);
  for (Index i = 0; i < sample.size(); ++i) options.landmarks.push_back(i);
  const embedding::Fit fit = embedding::fit(sample.view(), &kernel, nullptr, options);
  const Dense X = queries(20);
  const Dense a = predicted(exact.model, nullptr, sample.points(), X), b = predicted(fit.model, nullptr, sample.points(), X);
  CHECK_NEAR((a - b).cwiseAbs().maxCoeff(), 0.0, 1e-6);  // through a factor of an ill-conditioned K
  CHECK_NEAR(fit.model.risk, exact.model.risk, 1e-6);
  CHECK_NEAR(fit.model.complexity, exact.model.complexity, 1e-5);
}

TEST(a_few_landmarks_are_nystroem_features) {
  Sample sample = data();
  for (Index i = 0; i < sample.size(); ++i) sample.weights.push_back(0.5 + static_cast<double>(i % 3));
  embedding::Options options = as_given();
  options.landmarks = {3, 20, 21, 40, 58};
  const embedding::Fit fit = embedding::fit(sample.view(), &kernel, nullptr, options);
  CHECK_EQ(fit.model.weights.rows(), 5);
  Dense S(5, 3);
  for (Index i = 0; i < 5; ++i) S.row(i) = sample.X.row(options.landmarks[static_cast<std::size_t>(i)]);
  const Dense C = gram(value, sample.X, S), K = gram(value, S, S), X = queries(13);
  const Eigen::Map<const Eigen::VectorXd> w(sample.weights.data(), sample.size());
  // Of functions in the span of the landmarks the best one: (C^T D C + N lambda K) c = C^T D Y.
  const Dense system = C.transpose() * w.asDiagonal() * C + sample.total() * lambda * K;
  const Dense c = system.ldlt().solve(C.transpose() * w.asDiagonal() * sample.one_hot());
  const Points supports(view(S));
  CHECK_NEAR((predicted(fit.model, nullptr, supports, X) - gram(value, X, S) * c).cwiseAbs().maxCoeff(), 0.0, 1e-10);
  CHECK_NEAR(fit.model.risk, mean_loss(sample, C * c), 1e-10);
  CHECK_NEAR(fit.model.complexity, std::sqrt(1.7 * (c.transpose() * K * c).trace()), 1e-9);
}

TEST(sparse_points_are_the_same_as_dense_ones) {
  Sample sample = data();
  for (Index i = 0; i < sample.size(); ++i) sample.X(i, i % 3) = 0.0;
  std::vector<Index> start = {0}, columns;
  std::vector<double> values;
  for (Index i = 0; i < sample.size(); ++i) {
    for (Index j = 0; j < 3; ++j) {
      if (sample.X(i, j) == 0.0) continue;
      columns.push_back(j);
      values.push_back(sample.X(i, j));
    }
    start.push_back(static_cast<Index>(values.size()));
  }
  const Points sparse(SparseRows<double>{sample.size(), 3, start.data(), columns.data(), values.data()});
  embedding::LabelledSample ours = sample.view();
  ours.X = sparse;
  const Kernel one("gaussian", {0.4});
  for (const bool landmarks : {false, true}) {
    embedding::Options options = as_given();
    if (landmarks) options.landmarks = {1, 5, 30, 59};
    const embedding::Fit a = embedding::fit(ours, &one, nullptr, options);
    const embedding::Fit b = embedding::fit(sample.view(), &one, nullptr, options);
    CHECK_NEAR(a.model.risk, b.model.risk, 1e-10);
    CHECK_NEAR(a.model.complexity, b.model.complexity, 1e-9);
  }
  const Kernel chosen = embedding::initial_kernel(ours);
  double variance = 0.0;
  for (Index j = 0; j < 3; ++j) variance += (sample.X.col(j).array() - sample.X.col(j).mean()).square().mean();
  CHECK_NEAR(chosen.parameters()[1], 0.5 / variance, 1e-12);
}

TEST(blocks_of_queries_do_not_show) {
  const Sample sample = data();
  const embedding::Fit fit = embedding::fit(sample.view(), &kernel, nullptr, as_given());
  const Dense X = queries(8200);
  const Dense all = predicted(fit.model, nullptr, sample.points(), X);
  for (const Index i : {0, 8191, 8192, 8199}) {
    const Dense one = X.row(i), f = predicted(fit.model, nullptr, sample.points(), one);
    CHECK((f.row(0) - all.row(i)).cwiseAbs().maxCoeff() == 0.0);
  }
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Sample sample(300, 4, 3, 0.6, 2);
  const embedding::Options options = learning_by(embedding::ValidationSearch(), 5);
  const Dense X = queries(50);
  Dense first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const embedding::Fit fit = embedding::fit(sample.view(), nullptr, nullptr, options);
    const Dense f = predicted(fit.model, nullptr, sample.points(), X);
    if (threads == 1) first = f;
    CHECK((f.array() == first.array()).all());
  }
  set_num_threads(0);
}

TEST_MAIN
