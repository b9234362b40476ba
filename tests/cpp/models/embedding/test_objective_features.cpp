// SPDX-License-Identifier: BSD-3-Clause
// Features with parameters below a kernel, and the p x p form of a linear one.
#include "gramian/models/embedding/objective.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/any_threads.hpp"
#include "support/embedding_check.hpp"

using embedding_data::check_gradient;
using embedding_data::check_value;
using embedding_data::Data;
namespace embedding = gramian::embedding;
using gramian::Index;
using gramian::Kernel;
using naive::BendMap;
using naive::EmbeddingProblem;
using naive::Expression;

namespace {

EmbeddingProblem problem_of(const Data& data, const Expression& kernel, const BendMap& features,
                            const embedding::Criterion& criterion) {
  EmbeddingProblem p = data.problem(kernel, criterion);
  p.features = &features;
  p.theta = features.start(5);
  for (double& t : p.theta) t *= 0.7;
  return p;
}

std::vector<embedding::Criterion> criteria() {
  std::vector<embedding::Criterion> all(4);
  all[1].risk = embedding::Risk::mean;
  all[2].tau = 0.0;
  all[3].sensitivity = 1.7;
  return all;
}

void weigh(Data& data) {
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.weights.push_back(0.4 * static_cast<double>(i % 4));
}

}  // namespace

TEST(kernels_on_features_are_those_of_the_definition) {
  for (const bool weighted : {false, true}) {
    Data data(9, 2, 3, 31);
    if (weighted) weigh(data);
    BendMap features(2, 3);
    for (const embedding::Criterion& criterion : criteria()) {
      for (const Expression& e :
           {naive::leaf("gaussian", {0.7}), 1.4 * naive::leaf("gaussian", {0.7}, {0.8, 1.0, 1.3}),
            naive::leaf("polynomial", {2, 0.6, 1.1}), naive::leaf("laplacian", {0.8}) + naive::leaf("linear"),
            naive::leaf("tensor_matern2", {0.7}, {0.9, 1.2, 1.1}), naive::leaf("arc_cosine1")}) {
        const Kernel kernel = naive::kernel_of(e);
        embedding::TrainingObjective objective(data.sample(), &kernel, &features, criterion);
        CHECK(objective.form() == embedding::Form::gram);
        const EmbeddingProblem p = problem_of(data, e, features, criterion);
        check_value(objective, p, e.name);
        check_gradient(objective, p, e.name);
      }
    }
  }
}

TEST(explicit_features_are_those_of_the_definition) {
  for (const Index outputs : {1, 4, 8, 9, 12}) {
    for (const bool weighted : {false, true}) {
      Data data(9, 2, 3, 32);
      if (weighted) weigh(data);
      BendMap features(2, outputs);
      const Kernel linear("linear", {});
      for (const embedding::Criterion& criterion : criteria()) {
        const EmbeddingProblem p = problem_of(data, naive::leaf("linear"), features, criterion);
        embedding::TrainingObjective alone(data.sample(), nullptr, &features, criterion),
            with_kernel(data.sample(), &linear, &features, criterion);
        const Index used = weighted ? 6 : 9;  // a weight of 0 is no sample
        CHECK(alone.form() == (outputs < used ? embedding::Form::features : embedding::Form::gram));
        for (embedding::TrainingObjective* objective : {&alone, &with_kernel}) {
          check_value(*objective, p, "linear");
          check_gradient(*objective, p, "linear");
        }
      }
    }
  }
}

TEST(both_forms_agree) {
  for (const bool weighted : {false, true}) {
    for (const double validation : {0.0, 0.3}) {
      Data data(300, 3, 4, 33);
      if (weighted) weigh(data);
      BendMap features(3, 30);
      const Kernel scaled("linear", {}, std::vector<double>(30, 1.0));  // has length scales, so there are no explicit features
      const embedding::Batches batches{0, validation};
      embedding::TrainingObjective small(data.sample(), nullptr, &features, {}, batches, 3),
          large(data.sample(), &scaled, &features, {}, batches, 3);
      CHECK(small.form() == embedding::Form::features && large.form() == embedding::Form::gram);
      const std::vector<double> theta = features.start(6), x = small.pack(1e-3, theta), y = large.pack(1e-3, theta);
      std::vector<double> x_bar(x.size()), y_bar(y.size());
      const double value = small.evaluate(x.data(), x_bar.data());
      CHECK_NEAR(value, large.evaluate(y.data(), y_bar.data()), 1e-10 * value);
      double largest = 0.0;
      for (const double g : x_bar) largest = std::max(largest, std::fabs(g));
      for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(x_bar[i], y_bar[i + 30], 1e-9 * largest);
      CHECK_NEAR(small.last_terms().complexity, large.last_terms().complexity, 1e-10 * value);
      CHECK_EQ(small.last_terms().accuracy, large.last_terms().accuracy);
      // The form follows the batch, not the sample.
      embedding::TrainingObjective few(data.sample(), nullptr, &features, {}, {25, validation}, 3),
          few_large(data.sample(), &scaled, &features, {}, {25, validation}, 3);
      const double estimate = few.sample(x.data(), 1, 2, x_bar.data());
      CHECK_NEAR(estimate, few_large.sample(y.data(), 1, 2, y_bar.data()), 1e-10 * estimate);
      for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(x_bar[i], y_bar[i + 30], 1e-9 * largest);
    }
  }
}

TEST(weights_are_repetitions) {
  Data once(60, 2, 3, 34);
  std::vector<Index> rows;
  for (Index i = 0; i < 60; ++i) {
    once.weights.push_back(static_cast<double>(i % 3));
    rows.insert(rows.end(), static_cast<std::size_t>(i % 3), i);
  }
  Data often(static_cast<Index>(rows.size()), 2, 3, 34);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Index k = 0; k < 2; ++k) often.X(static_cast<Index>(i), k) = once.X(rows[i], k);
    often.labels[i] = once.labels[static_cast<std::size_t>(rows[i])];
  }
  BendMap features(2, 6);
  embedding::TrainingObjective one(once.sample(), nullptr, &features, {}), other(often.sample(), nullptr, &features, {});
  const std::vector<double> theta = features.start(7), x = one.pack(0.02, theta);
  std::vector<double> one_bar(x.size()), other_bar(x.size());
  const double value = one.evaluate(x.data(), one_bar.data());
  CHECK_NEAR(value, other.evaluate(x.data(), other_bar.data()), 1e-11 * value);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(one_bar[i], other_bar[i], 1e-10 * value);
}

TEST(passes_say_what_they_are_for) {
  const Data data(20, 2, 2, 35);
  BendMap features(2, 3);
  embedding::TrainingObjective objective(data.sample(), nullptr, &features, {}, {10, 0.0});
  const std::vector<double> theta = features.start(8), x = objective.pack(0.02, theta);
  CHECK(std::vector<double>(objective.theta_at(x.data()), x.data() + x.size()) == theta);
  CHECK_THROWS(std::invalid_argument, objective.kernel_at(x.data()));
  CHECK_THROWS(std::invalid_argument, objective.pack(0.02));
  objective.evaluate(x.data(), nullptr);
  CHECK(!features.last_pass.training);
  objective.sample(x.data(), 7, 11, nullptr);
  CHECK(features.last_pass.training);
  CHECK_EQ(features.last_pass.seed, 7);
  CHECK_EQ(features.last_pass.step, 11);
}

TEST(features_that_do_not_fit_are_refused) {
  const Data data(20, 2, 2, 36);
  BendMap wrong(3, 3);
  CHECK_THROWS(std::invalid_argument, embedding::TrainingObjective(data.sample(), nullptr, &wrong, {}));
  const Kernel scaled("gaussian", {1.0}, {1.0, 2.0});
  BendMap features(2, 3);
  CHECK_THROWS(std::invalid_argument, embedding::TrainingObjective(data.sample(), &scaled, &features, {}));
  const std::vector<Index> start(21, 0);
  gramian::embedding::LabelledSample sparse = data.sample();
  sparse.X = gramian::SparseRows<double>{20, 2, start.data(), nullptr, nullptr};
  CHECK_THROWS(std::invalid_argument, embedding::TrainingObjective(sparse, nullptr, &features, {}));
}

TEST(features_that_overflow_are_infinite) {
  class Grow final : public gramian::FeatureMap {
   public:
    Index inputs() const override { return 2; }
    Index outputs() const override { return 1; }
    Index parameter_count() const override { return 1; }
    std::vector<double> start(std::uint64_t) const override { return {1.0}; }
    void forward(const double* theta, gramian::MatrixView<const double> X, gramian::MatrixView<double> Z,
                 const gramian::FeaturePass&) override {
      for (Index i = 0; i < X.rows(); ++i) Z(i, 0) = X(i, 0) * std::exp(theta[0]);
    }
    void reverse(gramian::MatrixView<const double>, double* theta_bar) override { theta_bar[0] = 0.0; }
  } grow;
  const Data data(20, 2, 2, 37);
  embedding::TrainingObjective objective(data.sample(), nullptr, &grow, {});
  for (const double theta : {400.0, 1000.0}) {  // the squares overflow, and the features themselves
    const std::vector<double> x = objective.pack(0.02, {theta});
    std::vector<double> gradient(x.size());
    CHECK_EQ(objective.evaluate(x.data(), gradient.data()), std::numeric_limits<double>::infinity());
  }
}

TEST(what_features_throw_comes_through) {
  class Refuse final : public gramian::FeatureMap {
   public:
    Index inputs() const override { return 2; }
    Index outputs() const override { return 1; }
    Index parameter_count() const override { return 0; }
    std::vector<double> start(std::uint64_t) const override { return {}; }
    void forward(const double*, gramian::MatrixView<const double>, gramian::MatrixView<double>,
                 const gramian::FeaturePass&) override {
      throw std::invalid_argument("no");
    }
    void reverse(gramian::MatrixView<const double>, double*) override {}
  } refuse;
  const Data data(20, 2, 2, 39);
  embedding::TrainingObjective objective(data.sample(), nullptr, &refuse, {});
  CHECK_THROWS(std::invalid_argument, objective.evaluate(objective.pack(0.1).data(), nullptr));
}

TEST(threads_change_no_bit) {
  Data data(3000, 3, 3, 38);
  weigh(data);
  BendMap features(3, 40);
  embedding::TrainingObjective objective(data.sample(), nullptr, &features, {}, {0, 0.2});
  const std::vector<double> theta = features.start(9), x = objective.pack(0.02, theta);
  CHECK(check::same_for_any_threads([&] {
    std::vector<double> gradient(x.size());
    const double value = objective.evaluate(x.data(), gradient.data());
    return std::pair(value, gradient);
  }));
}

TEST_MAIN
