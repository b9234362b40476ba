// SPDX-License-Identifier: BSD-3-Clause
// Each way to learn kernel, features and lambda.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "gramian/base/error.hpp"
#include "gramian/layers/feature_network.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

const Sample data(90, 3, 4, 0.35, 1), later(300, 3, 4, 0.35, 2);

embedding::Options learning(embedding::Learning how) { return learning_by(std::move(how), 150); }

double score(const embedding::Fit& fit, FeatureMap* features = nullptr, const Points& supports = data.points()) {
  return accuracy(predicted(fit.model, features, supports, later.X), later.labels);
}

/// Knows the samples by heart, and little of what lies between them.
const Kernel narrow("gaussian", {0.5}, {0.1, 0.1, 0.1, 0.1});

class Counter final : public Observer {
 public:
  explicit Counter(Index last) : last_(last) {}
  bool observe(const Iteration&, const double*) override { return ++count != last_; }
  Index count = 0;

 private:
  Index last_;
};

}  // namespace

TEST(every_way_is_right_more_often_than_by_chance) {
  const Kernel delta("delta", {});  // f = 0 at every query: right by chance
  CHECK(score(embedding::fit(data.view(), &delta, nullptr, learning(embedding::AsGiven()))) < 0.4);
  embedding::GridSearch grid;
  grid.scale_grid = {0.25, 1.0, 4.0, 64.0, 256.0};
  embedding::RiskSearch without_bound;
  without_bound.tau = 0.0;
  for (const embedding::Learning& how :
       {embedding::Learning(embedding::ValidationSearch()), embedding::Learning(embedding::RiskSearch()),
        embedding::Learning(without_bound), embedding::Learning(grid), embedding::Learning(embedding::MedianLengths())}) {
    const auto* risk = std::get_if<embedding::RiskSearch>(&how);
    const bool erm = risk != nullptr && risk->tau == 0.0, by_gradients = how.index() < 2 && !erm;
    const embedding::Fit fit = embedding::fit(data.view(), erm ? nullptr : &narrow, nullptr, learning(how));
    CHECK(score(fit) > (by_gradients ? 0.9 : 0.8));
    CHECK(fit.history.size() == fit.result.history.size());
  }
}

TEST(the_default_finds_the_features_that_matter) {
  embedding::Options options;
  const embedding::Fit fit = embedding::fit(data.view(), nullptr, nullptr, options);
  CHECK(score(fit) > 0.95);
  const std::vector<double> p = fit.model.kernel->parameters();  // factor, gamma, lengths
  CHECK_EQ(p.size(), 6u);
  CHECK_NEAR(p[1], 0.5, 1e-15);  // the lengths say it all
  CHECK(std::max(p[2], p[3]) < std::min(p[4], p[5]));
}

TEST(widths_beside_lengths_stay_as_they_were_given) {
  const Kernel given = 2.0 * (Kernel("laplacian", {3.0}, {1.0, 2.0, 3.0, 4.0}) + Kernel("matern32", {0.5})) *
                       Kernel("rational_quadratic", {1.5, 2.0}, {1.0, 1.0, 1.0, 1.0});
  const embedding::Options options = learning_by(embedding::RiskSearch(), 5);
  const embedding::Fit fit = embedding::fit(data.view(), &given, nullptr, options);
  const std::vector<double> before = given.parameters(), after = fit.model.kernel->parameters();
  // The factor, width and lengths of the first, the width of the second, the mixture, width and lengths of the third.
  for (const std::size_t i : {1u, 8u}) CHECK_NEAR(after[i], before[i], 1e-14);
  for (const std::size_t i : {0u, 2u, 6u, 7u, 9u}) CHECK(std::fabs(after[i] - before[i]) > 1e-3);
  // It is still the kernel that the objective was lowest with.
  CHECK_NEAR(fit.objective, fit.result.value, 1e-8 * fit.objective);
}

TEST(a_lower_objective_is_what_the_whole_objective_says) {
  for (const embedding::Solver& solver : {embedding::Solver(embedding::Adam()), embedding::Solver(embedding::Lbfgs())}) {
    embedding::Options options;
    options.learning = embedding::RiskSearch{embedding::RiskSearch().tau, solver};
    const embedding::Fit fit = embedding::fit(data.view(), nullptr, nullptr, options);
    CHECK_NEAR(fit.objective, fit.result.value, 1e-8 * fit.objective);
    CHECK(fit.objective < fit.history.front().value);
    const double e = 2.718281828459045235;
    for (const embedding::Step& step : fit.history) {
      CHECK_NEAR(step.value, step.terms.risk + 4.0 * e * step.terms.complexity, 1e-9 * step.value);
      CHECK_EQ(step.failures, 0);
    }
  }
  embedding::Options options = learning_by(embedding::RiskSearch(), 3000);
  adam_of(options)->patience->tolerance = 0.0;
  const double adam = embedding::fit(data.view(), nullptr, nullptr, options).objective;
  embedding::Lbfgs lbfgs;
  lbfgs.max_iterations = 3000;
  lbfgs.value_tolerance = 1e-12;
  options.learning = embedding::RiskSearch{embedding::RiskSearch().tau, lbfgs};
  CHECK_NEAR(embedding::fit(data.view(), nullptr, nullptr, options).objective, adam, 1e-3 * adam);
}

TEST(batches_and_a_seed) {
  embedding::Options options = learning(embedding::RiskSearch());
  adam_of(options)->batch_size = 30;
  options.seed = 5;
  const embedding::Fit a = embedding::fit(data.view(), nullptr, nullptr, options);
  const embedding::Fit b = embedding::fit(data.view(), nullptr, nullptr, options);
  CHECK(a.result.x == b.result.x && score(a) > 0.9);
  options.seed = 6;
  CHECK(embedding::fit(data.view(), nullptr, nullptr, options).result.x != a.result.x);
}

TEST(networks_learn_in_both_forms) {
  const Kernel gauss("gaussian", {0.5});
  for (const Kernel* kernel : {static_cast<const Kernel*>(nullptr), &gauss}) {
    const auto map = feature_network(4, {{16, Activation::tanh}, {8, Activation::tanh}}, {0.0, 0.1});
    embedding::Options options = learning(embedding::RiskSearch());
    adam_of(options)->step = 0.02;
    const embedding::Fit fit = embedding::fit(data.view(), kernel, map.get(), options);
    CHECK(score(fit, map.get()) > 0.9);
    CHECK_EQ(static_cast<Index>(fit.model.theta.size()), map->parameter_count());
    CHECK(fit.objective < fit.history.front().value);
  }
}

TEST(features_without_bound_are_searched_with_a_sensitivity_of_one) {
  const double tau = 4.0 * 2.718281828459045;
  for (const Activation last : {Activation::relu, Activation::tanh}) {
    const auto map = feature_network(4, {{16, Activation::relu}, {8, last}}, {0.0, 0.1});
    embedding::Options options = learning(embedding::RiskSearch());
    options.lambda = 1.0;  // a nearly constant classifier
    adam_of(options)->step = 0.05;
    const embedding::Fit fit = embedding::fit(data.view(), nullptr, map.get(), options);
    CHECK(score(fit, map.get()) > 0.9);
    CHECK_NEAR(fit.objective, fit.result.value, 1e-8 * fit.objective);
    // The model's own r is a bound all the same.
    Matrix Z(data.size(), 8);
    map->forward(fit.model.theta.data(), data.view().X.float64(), Z.view(), {});
    double largest = 0.0, norm = 0.0;
    for (Index i = 0; i < Z.rows(); ++i) largest = std::max(largest, Eigen::Map<const Dense>(&Z(i, 0), 1, 8).norm());
    for (Index k = 0; k < fit.model.weights.size(); ++k) norm += std::pow(fit.model.weights.data()[k], 2);
    norm = std::sqrt(norm);
    CHECK_NEAR(fit.model.sensitivity, largest, 1e-12 * largest);
    CHECK_NEAR(fit.model.complexity, largest * norm, 1e-10 * largest * norm);
    const double searched = (fit.objective - static_cast<double>(data.size()) * fit.model.risk) / tau;
    CHECK_NEAR(searched, last == Activation::relu ? norm : largest * norm, 1e-8 * (1.0 + largest) * norm);
  }
}

TEST(landmarks_learn_on_batches) {
  embedding::Options options = learning(embedding::ValidationSearch());
  adam_of(options)->batch_size = 40;
  Dense S(9, 4);
  for (Index i = 0; i < 9; ++i) {
    options.landmarks.push_back(7 * i);
    S.row(i) = data.X.row(7 * i);
  }
  const embedding::Fit fit = embedding::fit(data.view(), nullptr, nullptr, options);
  CHECK(score(fit, nullptr, Points(view(S))) > 0.9);
}

TEST(the_median_rule_sets_lengths) {
  Sample line(3, 3, 2, 0.0, 1);
  line.X << 0.0, 0.0, 3.0, 4.0, 0.0, 4.0;  // distances 3, 4 and 5
  const embedding::Options options = learning(embedding::MedianLengths());
  const auto parameters = [&](const Kernel& kernel) {
    return embedding::fit(line.view(), &kernel, nullptr, options).model.kernel->parameters();
  };
  CHECK_NEAR(parameters(Kernel("gaussian", {7.0}))[0], 0.5 / 16.0, 1e-12);
  CHECK_NEAR(parameters(Kernel("laplacian", {7.0}))[0], 0.25, 1e-12);
  CHECK_NEAR(parameters(Kernel("matern32", {7.0}))[0], 4.0, 1e-12);
  const std::vector<double> each = parameters(Kernel("gaussian", {2.0}, {1.0, 9.0}));  // half a unit long by itself
  CHECK_NEAR(each[1], 8.0, 1e-12);
  CHECK_NEAR(each[2], 8.0, 1e-12);
  const std::vector<double> sum = parameters(2.0 * Kernel("gaussian", {7.0}) + Kernel("linear", {}));
  CHECK_EQ(sum[0], 2.0);
  CHECK_NEAR(sum[1], 0.5 / 16.0, 1e-12);
  CHECK_EQ(embedding::fit(line.view(), nullptr, nullptr, options).model.lambda, 1e-2);
}

TEST(a_factorization_that_fails_shortens_the_step) {
  // K has rank 6, and the first step asks for a lambda below what rounding leaves of the other eigenvalues.
  const Sample plane(40, 2, 2, 0.5, 4);
  const Kernel polynomial("polynomial", {2, 1.0, 1.0});
  embedding::RiskSearch without_bound;
  without_bound.tau = 0.0;
  embedding::Options options = learning_by(without_bound, 30);
  options.lambda = 0.1;
  adam_of(options)->step = 40.0;
  const embedding::Fit fit = embedding::fit(plane.view(), &polynomial, nullptr, options);
  Index failures = 0;
  for (const embedding::Step& step : fit.history) {
    failures += step.failures;
    CHECK(std::isfinite(step.value));
  }
  CHECK(failures > 0);
  CHECK(std::isfinite(fit.objective));
}

TEST(a_search_that_can_take_no_step_says_so) {
  embedding::RiskSearch without_bound;
  without_bound.tau = 0.0;
  for (const embedding::Learning& way :
       {embedding::Learning(without_bound), embedding::Learning(embedding::ValidationSearch())}) {
    embedding::Options options = learning(way);
    adam_of(options)->step = 1e6;  // even the shortest step takes the logarithms out of the range of numbers
    adam_of(options)->patience->window = 5;
    const embedding::Fit fit = embedding::fit(data.view(), nullptr, nullptr, options);
    CHECK(fit.result.stop_reason == StopReason::line_search);
    CHECK(fit.result.iterations >= 1);
    CHECK_EQ(fit.history.size(), fit.result.history.size());
    CHECK_EQ(static_cast<Index>(fit.history.size()), fit.result.iterations + 1);
    for (std::size_t i = 1; i < fit.history.size(); ++i) CHECK_EQ(fit.history[i].failures, 11);
    CHECK_EQ(fit.history[0].failures, 0);
    CHECK_NEAR(fit.model.lambda, options.lambda, 1e-15);
  }
}

TEST(observers_see_every_step_and_end_it) {
  for (const embedding::Learning& how :
       {embedding::Learning(embedding::ValidationSearch()), embedding::Learning(embedding::RiskSearch()),
        embedding::Learning(embedding::GridSearch())}) {
    Counter counter(4);
    const embedding::Fit fit = embedding::fit(data.view(), nullptr, nullptr, learning(how), {}, &counter);
    CHECK_EQ(counter.count, 4);
    CHECK(fit.result.stop_reason == StopReason::observer);
    CHECK(fit.model.weights.rows() == data.size());
  }
}

TEST_MAIN
