// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients of all samples at once, by n x n systems, against the definition in long double.
#include "gramian/models/embedding/objective.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/embedding_check.hpp"

using embedding_data::check_gradient;
using embedding_data::check_value;
using embedding_data::Data;
using embedding_data::u;
namespace embedding = gramian::embedding;
using gramian::Index;
using gramian::Kernel;
using naive::Expression;
using naive::Matrix;

namespace {

std::vector<embedding::Criterion> criteria() {
  std::vector<embedding::Criterion> all(5);
  all[1].risk = embedding::Risk::mean;
  all[2].tau = 0.0;
  all[3].epsilon = 0.35;  // some samples are clipped
  all[4].sensitivity = 1.7;
  return all;
}

}  // namespace

TEST(values_are_those_of_the_definition) {
  for (const Index n : {1, 2, 13, 60}) {
    for (const Index d : {1, 3}) {
      const Data data(n, d, 3, 11);
      for (const Expression& e : naive::all_samples(d)) {
        const Kernel kernel = naive::kernel_of(e);
        embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
        check_value(objective, data.problem(e), e.name);
      }
    }
  }
}

TEST(gradients_are_those_of_differences) {
  const Data data(9, 2, 3, 12);
  for (const Expression& e : naive::all_samples(2)) {
    const Kernel kernel = naive::kernel_of(e);
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
    check_gradient(objective, data.problem(e), e.name);
  }
}

TEST(every_criterion_has_its_value_and_gradient) {
  Data data(10, 2, 4, 13);
  for (const bool weighted : {false, true}) {
    for (Index i = 0; weighted && i < 10; ++i) data.weights.push_back(0.3 + static_cast<double>(i % 4));
    if (weighted) data.weights[3] = 0.0;
    for (const embedding::Criterion& criterion : criteria()) {
      for (const Expression& e : {1.3 * naive::leaf("gaussian", {0.6}, {0.8, 1.4}), naive::leaf("polynomial", {2, 0.5, 1.2})}) {
        const Kernel kernel = naive::kernel_of(e);
        embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, criterion);
        check_value(objective, data.problem(e, criterion), e.name);
        check_gradient(objective, data.problem(e, criterion), e.name);
      }
    }
  }
}

TEST(sparse_points_give_what_dense_ones_give) {
  const Data data(23, 3, 3, 14);
  std::vector<Index> start = {0}, columns;
  for (Index i = 0; i < 23; ++i) {
    for (Index k = 0; k < 3; ++k) columns.push_back(k);
    start.push_back(3 * (i + 1));
  }
  embedding::LabelledSample sparse = data.sample();
  sparse.X = gramian::SparseRows<double>{23, 3, start.data(), columns.data(), data.X.numbers.data()};
  for (const Expression& e : naive::inner_product_samples()) {
    const Kernel kernel = naive::kernel_of(e);
    embedding::TrainingObjective one(data.sample(), &kernel, nullptr, {}), other(sparse, &kernel, nullptr, {});
    check_value(other, data.problem(e), e.name);
    const std::vector<double> x = one.pack(0.1);
    std::vector<double> dense_bar(x.size()), sparse_bar(x.size());
    one.evaluate(x.data(), dense_bar.data());
    other.evaluate(x.data(), sparse_bar.data());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(dense_bar[i], sparse_bar[i], 1e-10 * (1.0 + std::fabs(dense_bar[i])));
  }
}

TEST(a_linear_kernel_takes_systems_of_its_coordinates) {
  Data data(23, 3, 3, 14);
  for (Index i = 0; i < 23; ++i) data.weights.push_back(0.3 + static_cast<double>(i % 4));
  std::vector<Index> start = {0}, columns;
  for (Index i = 0; i < 23; ++i) {
    for (Index k = 0; k < 3; ++k) columns.push_back(k);
    start.push_back(3 * (i + 1));
  }
  embedding::LabelledSample sparse = data.sample();  // of n x n systems, whatever the kernel is
  sparse.X = gramian::SparseRows<double>{23, 3, start.data(), columns.data(), data.X.numbers.data()};
  for (const Expression& e : {naive::leaf("linear", {}), 0.4 * (1.3 * naive::leaf("linear", {}))}) {
    for (const embedding::Criterion& criterion : criteria()) {
      for (const embedding::Batches& batches : {embedding::Batches(), embedding::Batches{0, 0.3}, embedding::Batches{3, 0.0}}) {
        const Kernel kernel = naive::kernel_of(e);
        embedding::TrainingObjective one(data.sample(), &kernel, nullptr, criterion, batches);
        embedding::TrainingObjective other(sparse, &kernel, nullptr, criterion, batches);
        CHECK(one.form() == gramian::embedding::Form::features && other.form() == gramian::embedding::Form::gram);
        const std::vector<double> x = one.pack(0.1);
        std::vector<double> ours(x.size()), theirs(x.size());
        CHECK_NEAR(one.evaluate(x.data(), ours.data()), other.evaluate(x.data(), theirs.data()), 1e-8);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(ours[i], theirs[i], 1e-8);
        CHECK_NEAR(one.sample(x.data(), 1, 2, ours.data()), other.sample(x.data(), 1, 2, theirs.data()), 1e-8);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(ours[i], theirs[i], 1e-8);
      }
    }
  }
  data.weights.clear();
  for (const Expression& e : {1.3 * naive::leaf("linear", {}, {0.8, 1.4, 2.0}), naive::leaf("linear", {}, {0.8, 1.4, 2.0})}) {
    const Kernel kernel = naive::kernel_of(e);
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
    check_value(objective, data.problem(e), e.name);
    check_gradient(objective, data.problem(e), e.name);
  }
}

TEST(weights_are_repetitions) {
  for (const Expression& e : {1.3 * naive::leaf("gaussian", {0.6}), naive::leaf("polynomial", {2, 0.5, 1.2})}) {
    for (const embedding::Criterion& criterion : criteria()) {
      Data once(40, 2, 3, 15);
      std::vector<Index> rows;
      for (Index i = 0; i < 40; ++i) {
        once.weights.push_back(static_cast<double>(i % 4));  // 0 among them
        rows.insert(rows.end(), static_cast<std::size_t>(i % 4), i);
      }
      Data often(static_cast<Index>(rows.size()), 2, 3, 15);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (Index k = 0; k < 2; ++k) often.X(static_cast<Index>(i), k) = once.X(rows[i], k);
        often.labels[i] = once.labels[static_cast<std::size_t>(rows[i])];
      }
      const Kernel kernel = naive::kernel_of(e);
      embedding::TrainingObjective one(once.sample(), &kernel, nullptr, criterion),
          other(often.sample(), &kernel, nullptr, criterion);
      const std::vector<double> x = one.pack(0.05);
      std::vector<double> one_bar(x.size()), other_bar(x.size());
      const double value = one.evaluate(x.data(), one_bar.data());
      CHECK_NEAR(value, other.evaluate(x.data(), other_bar.data()), 1e-11 * value);
      for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(one_bar[i], other_bar[i], 1e-10 * value);
      CHECK_NEAR(one.last_terms().accuracy, other.last_terms().accuracy, 1e-14);
      once.weights.assign(40, 1.0);
      CHECK(std::fabs(embedding::TrainingObjective(once.sample(), &kernel, nullptr, criterion).evaluate(x.data(), nullptr) -
                      value) > 1e-4);
    }
  }
}

TEST(only_the_ratio_of_lambda_and_the_squared_sensitivity_matters) {
  const Data data(30, 2, 3, 16);
  const Kernel one = 2.0 * Kernel("gaussian", {0.7}), other = 5.0 * Kernel("gaussian", {0.7});
  embedding::TrainingObjective first(data.sample(), &one, nullptr, {}), second(data.sample(), &other, nullptr, {});
  const double value = first.evaluate(first.pack(0.2).data(), nullptr);
  CHECK_NEAR(value, second.evaluate(second.pack(0.5).data(), nullptr), 1e-11 * value);
}

TEST(packing_is_undone) {
  const Data data(5, 2, 2, 17);
  const Kernel kernel = 2.0 * Kernel("polynomial", {3, 0.5, 0.0}, {1.5, 0.7});
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
  const std::vector<double> x = objective.pack(0.25);
  CHECK_EQ(x.size(), std::size_t(5));  // neither the degree nor an offset of 0
  const std::vector<double> wanted = kernel.parameters(), got = objective.kernel_at(x.data()).parameters();
  CHECK_EQ(got.size(), wanted.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) CHECK_NEAR(got[p], wanted[p], 4 * u * wanted[p]);
  CHECK_NEAR(objective.lambda_at(x.data()), 0.25, u);
  CHECK(objective.theta_at(x.data()) == nullptr);
  CHECK(objective.form() == gramian::embedding::Form::gram);
}

TEST(what_breaks_down_is_infinite_and_counted) {
  const Data data(40, 1, 2, 18);
  const Kernel kernel("polynomial", {2, 1.0, 1.0});  // of rank 3
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
  std::vector<double> x = objective.pack(0.1), gradient(x.size());
  const double before = objective.evaluate(x.data(), gradient.data());
  CHECK(std::isfinite(before));
  CHECK_EQ(objective.failures(), 0);
  x[2] = std::log(1e-300);
  CHECK_EQ(objective.evaluate(x.data(), gradient.data()), std::numeric_limits<double>::infinity());
  CHECK_EQ(objective.failures(), 1);
  // Out of the domain, without a factorization.
  for (const double beyond : {800.0, -800.0, std::numeric_limits<double>::quiet_NaN()}) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<double> there = objective.pack(0.1);
      there[i] = beyond;
      const double value = objective.evaluate(there.data(), gradient.data());
      CHECK(!std::isnan(value));
      CHECK(i < 2 || value == std::numeric_limits<double>::infinity());
    }
  }
  CHECK_EQ(objective.evaluate(objective.pack(0.1).data(), gradient.data()), before);
}

bool same_for_any_threads(embedding::TrainingObjective& objective) {
  const std::vector<double> x = objective.pack(0.01);
  return check::same_for_any_threads([&] {
    std::vector<double> gradient(x.size());
    const double value = objective.evaluate(x.data(), gradient.data());
    return std::pair(value, gradient);
  });
}

TEST(threads_change_no_bit_of_many_length_scales) {
  const Index n = 1000, d = 1700;
  const Data data(n, d, 3, 20);
  const Kernel kernel("gaussian", {0.5}, std::vector<double>(d, 30.0));
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
  CHECK(same_for_any_threads(objective));
}

TEST(threads_change_no_bit) {
  for (const Index n : {30, 150, 1000}) {
    Data data(n, 3, 3, 19);
    for (Index i = 0; i < n; ++i) data.weights.push_back(1.0 + static_cast<double>(i % 2));
    const Kernel gaussian = 1.5 * Kernel("gaussian", {0.5}, {1.0, 2.0, 3.0}), matern("matern52", {1.0}, {1.0, 0.5, 2.0});
    for (const Kernel& kernel : {gaussian, matern, gaussian + matern}) {
      embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {});
      CHECK(same_for_any_threads(objective));
    }
  }
}

TEST(what_is_wrong_is_named) {
  Data data(6, 2, 3, 20);
  data.labels[4] = 2;
  const Kernel kernel("gaussian", {1.0}), scaled("gaussian", {1.0}, {1.0, 2.0, 3.0});
  const auto refused = [&](const std::string& part, const embedding::LabelledSample& sample, const Kernel* k,
                           const embedding::Criterion& criterion = {}, const embedding::Batches& batches = {}) {
    try {
      embedding::TrainingObjective(sample, k, nullptr, criterion, batches);
    } catch (const std::invalid_argument& error) {
      return check::that(std::string(error.what()).find(part) != std::string::npos, "no '" + part + "' in: " + error.what(),
                         __FILE__, __LINE__);
    }
    check::fail(__FILE__, __LINE__, "not refused: " + part);
  };
  const embedding::LabelledSample good = data.sample();
  refused("a kernel or features", good, nullptr);
  refused("length scales", good, &scaled);
  embedding::Criterion criterion;
  for (const double epsilon : {0.0, 1.0, std::nan("")}) {
    criterion.epsilon = epsilon;
    refused("epsilon", good, &kernel, criterion);
  }
  criterion = {};
  criterion.tau = -1.0;
  refused("tau", good, &kernel, criterion);
  criterion = {};
  criterion.sensitivity = std::numeric_limits<double>::infinity();
  refused("sensitivity", good, &kernel, criterion);
  refused("batch_size", good, &kernel, {}, {-1, 0.0});
  refused("validation_fraction", good, &kernel, {}, {0, 1.0});
  refused("at least 2", good, &kernel, {}, {1, 0.5});
  embedding::LabelledSample bad = good;
  const std::vector<double> none(6, 0.0), negative(6, -1.0);
  bad.weights = none.data();
  refused("all 0", bad, &kernel);
  bad.weights = negative.data();
  refused("the weight in row 0", bad, &kernel);
  bad = good;
  bad.classes = 2;
  refused("the label in row", bad, &kernel);
  Matrix<float> narrow(6, 2);
  bad = good;
  bad.X = narrow.view;
  refused("float32", bad, &kernel);
  embedding::TrainingObjective fine(good, &kernel, nullptr, {});
  CHECK_THROWS(std::invalid_argument, fine.pack(0.0));
  data.X(3, 1) = std::nan("");
  refused("not finite", good, &kernel);
}

TEST_MAIN
