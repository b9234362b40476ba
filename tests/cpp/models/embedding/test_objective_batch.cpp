// SPDX-License-Identifier: BSD-3-Clause
// Splits and batches: which samples they take, and what is expected of estimates.
#include "gramian/models/embedding/objective.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/embedding_check.hpp"

using embedding_data::check_gradient;
using embedding_data::check_value;
using embedding_data::Data;
namespace embedding = gramian::embedding;
using gramian::Index;
using gramian::Kernel;
using naive::EmbeddingProblem;
using naive::Expression;
using naive::Real;

namespace {

using Set = std::vector<std::size_t>;

/// All subsets of so many of `from`.
std::vector<Set> subsets(const Set& from, std::size_t count) {
  std::vector<Set> all;
  std::vector<bool> in(from.size(), false);
  std::fill(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count), true);
  do {
    Set one;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (in[i]) one.push_back(from[i]);
    }
    all.push_back(one);
  } while (std::prev_permutation(in.begin(), in.end()));
  return all;
}

/// Every way to draw a batch and to hold a part of it out.
std::vector<EmbeddingProblem> every_draw(const EmbeddingProblem& problem, std::size_t batch, std::size_t held_out) {
  Set kept;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    if (problem.weights.empty() || problem.weights[i] > 0) kept.push_back(i);
  }
  std::vector<EmbeddingProblem> all;
  for (const Set& rows : subsets(kept, batch)) {
    for (const Set& out : subsets(rows, held_out)) {
      EmbeddingProblem p = problem;
      p.held_out = out;
      std::set_difference(rows.begin(), rows.end(), out.begin(), out.end(), std::back_inserter(p.training));
      all.push_back(p);
    }
  }
  return all;
}

/// A draw with this value. There may be several: what is held out of classes that nobody is left of is clipped alike.
const EmbeddingProblem* find(const std::vector<EmbeddingProblem>& draws, double value) {
  const auto found = std::find_if(draws.begin(), draws.end(), [&](const EmbeddingProblem& p) {
    return std::fabs(p.at(p.packed()).value - value) <= 1e-9L * std::fabs(value);
  });
  CHECK(found != draws.end());
  return found == draws.end() ? nullptr : &*found;
}

}  // namespace

TEST(a_split_of_all_samples_is_a_real_one) {
  for (const bool weighted : {false, true}) {
    Data data(9, 2, 3, 51);
    for (std::size_t i = 0; weighted && i < 9; ++i) data.weights.push_back(i == 4 ? 0.0 : 0.5 + static_cast<double>(i % 3));
    for (const Expression& e : {1.2 * naive::leaf("gaussian", {0.6}, {0.8, 1.4}), naive::leaf("polynomial", {2, 0.5, 1.2}),
                                naive::leaf("laplacian_l1", {0.4}, {0.9, 1.3}) + naive::leaf("linear")}) {
      for (const embedding::Risk risk : {embedding::Risk::sum, embedding::Risk::mean}) {
        embedding::Criterion criterion;
        criterion.risk = risk;
        const Kernel kernel = naive::kernel_of(e);
        embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, criterion, {0, 0.3}, 17);
        EmbeddingProblem problem = data.problem(e, criterion);
        const std::vector<double> x = objective.pack(problem.lambda);
        const auto draws = every_draw(problem, weighted ? 8 : 9, weighted ? 2 : 3);
        const EmbeddingProblem* split = find(draws, objective.evaluate(x.data(), nullptr));
        if (split == nullptr) continue;
        check_value(objective, *split, e.name);
        check_gradient(objective, *split, e.name);
      }
    }
  }
}

TEST(batches_are_real_ones) {
  Data data(7, 2, 3, 52);
  const Expression e = naive::leaf("matern32", {0.9}, {0.8, 1.4});
  const Kernel kernel = naive::kernel_of(e);
  for (const double validation : {0.0, 0.4}) {
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {5, validation});
    const EmbeddingProblem problem = data.problem(e);
    const auto draws = every_draw(problem, 5, validation > 0.0 ? 2 : 0);
    const std::vector<double> x = objective.pack(problem.lambda);
    std::set<double> seen;
    for (std::uint64_t step = 0; step < 12; ++step) {
      std::vector<double> gradient(x.size());
      const double value = objective.sample(x.data(), 4, step, gradient.data());
      CHECK_EQ(value, objective.sample(x.data(), 4, step, nullptr));
      seen.insert(value);
      const EmbeddingProblem* draw = find(draws, value);
      if (draw == nullptr) continue;
      for (std::size_t i = 0; i < x.size(); ++i) {
        naive::Numbers along(x.size(), 0);
        along[i] = 1;
        const difference::Slope slope = draw->slope(along, 1e-3L, 100);
        CHECK(difference::agrees(gradient[i], slope, 1e-11L * std::fabs(value), std::fabs(value)));
        CHECK(!difference::agrees(gradient[i] + 0.01L * std::fabs(value), slope, 1e-11L * std::fabs(value), std::fabs(value)));
      }
    }
    CHECK(seen.size() > 6);
  }
}

TEST(every_batch_is_as_likely_as_any_other) {
  Data data(6, 2, 2, 53);
  data.weights = {1.0, 2.0, 0.5, 1.0, 3.0, 1.0};
  const Expression e = naive::leaf("gaussian", {0.8});
  const Kernel kernel = naive::kernel_of(e);
  for (const double validation : {0.0, 0.3}) {
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {3, validation});
    const EmbeddingProblem problem = data.problem(e);
    const auto draws = every_draw(problem, 3, validation > 0.0 ? 1 : 0);
    Real mean = 0, square = 0;
    for (const EmbeddingProblem& p : draws) mean += p.at(p.packed()).risk / static_cast<Real>(draws.size());
    for (const EmbeddingProblem& p : draws) square += std::pow(p.at(p.packed()).risk - mean, 2) / static_cast<Real>(draws.size());
    const std::vector<double> x = objective.pack(problem.lambda);
    constexpr int steps = 20000;
    Real sum = 0;
    for (int step = 0; step < steps; ++step) {
      objective.sample(x.data(), 5, static_cast<std::uint64_t>(step), nullptr);
      sum += objective.last_terms().risk / steps;
    }
    CHECK_NEAR(sum, mean, 4.5L * std::sqrt(square / steps));
    CHECK(std::fabs(sum - 0.9L * mean) > 4.5L * std::sqrt(square / steps));
  }
}

TEST(what_does_not_depend_on_the_batch_is_estimated_without_bias) {
  // Probabilities at the clip: the loss of a sample is what it is in every batch.
  Data data(12, 2, 3, 54);
  for (std::size_t i = 0; i < 12; ++i) data.weights.push_back(1.0 + static_cast<double>(i % 4));
  const Kernel kernel("gaussian", {1.0});
  for (const embedding::Risk risk : {embedding::Risk::sum, embedding::Risk::mean}) {
    embedding::Criterion criterion;
    criterion.risk = risk;
    criterion.epsilon = 0.3;
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, criterion, {4, 0.25});
    const std::vector<double> x = objective.pack(1e6);
    double sum = 0.0;
    constexpr int steps = 4000;
    for (int step = 0; step < steps; ++step) {
      objective.sample(x.data(), 6, static_cast<std::uint64_t>(step), nullptr);
      sum += objective.last_terms().risk / steps;
    }
    const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
    const double wanted = -std::log(0.3) * (risk == embedding::Risk::sum ? total : 1.0);
    CHECK_NEAR(sum, wanted, 0.04 * wanted);
  }
}

TEST(without_batches_an_estimate_is_the_objective) {
  const Data data(30, 2, 3, 55);
  const Kernel kernel("gaussian", {1.0});
  for (const Index batch : {0, 30, 31}) {
    embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {batch, 0.0});
    const std::vector<double> x = objective.pack(0.1);
    std::vector<double> one(x.size()), other(x.size());
    CHECK_EQ(objective.evaluate(x.data(), one.data()), objective.sample(x.data(), 1, 2, other.data()));
    CHECK(one == other);
  }
}

TEST(a_split_is_redrawn_each_time_and_a_draw_knows_no_other) {
  const Data data(40, 2, 3, 56);
  const Kernel kernel("gaussian", {1.0});
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {0, 0.25}, 8),
      again(data.sample(), &kernel, nullptr, {}, {0, 0.25}, 8), other(data.sample(), &kernel, nullptr, {}, {0, 0.25}, 9);
  const std::vector<double> x = objective.pack(0.1);
  const double first = objective.sample(x.data(), 1, 0, nullptr), second = objective.sample(x.data(), 1, 1, nullptr);
  CHECK(first != second);
  CHECK(first != objective.sample(x.data(), 2, 0, nullptr));
  CHECK_EQ(first, objective.sample(x.data(), 1, 0, nullptr));
  CHECK_EQ(second, again.sample(x.data(), 1, 1, nullptr));
  CHECK_EQ(objective.evaluate(x.data(), nullptr), again.evaluate(x.data(), nullptr));
  CHECK(objective.evaluate(x.data(), nullptr) != other.evaluate(x.data(), nullptr));
}

TEST(sparse_batches_are_those_of_dense_points) {
  const Data data(50, 3, 3, 57);
  std::vector<Index> start = {0}, columns;
  for (Index i = 0; i < 50; ++i) {
    for (Index k = 0; k < 3; ++k) columns.push_back(k);
    start.push_back(3 * (i + 1));
  }
  gramian::embedding::LabelledSample sparse = data.sample();
  sparse.X = gramian::SparseRows<double>{50, 3, start.data(), columns.data(), data.X.numbers.data()};
  const Kernel kernel = Kernel("gaussian", {0.5}) + Kernel("polynomial", {2, 0.5, 1.0});
  embedding::TrainingObjective one(data.sample(), &kernel, nullptr, {}, {20, 0.2}),
      other(sparse, &kernel, nullptr, {}, {20, 0.2});
  const std::vector<double> x = one.pack(0.1);
  for (std::uint64_t step = 0; step < 5; ++step) {
    std::vector<double> dense_bar(x.size()), sparse_bar(x.size());
    const double value = one.sample(x.data(), 3, step, dense_bar.data());
    CHECK_NEAR(value, other.sample(x.data(), 3, step, sparse_bar.data()), 1e-11 * value);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(dense_bar[i], sparse_bar[i], 1e-10 * value);
  }
}

TEST(threads_change_no_bit) {
  const Data data(900, 3, 3, 58);
  const Kernel kernel = 1.5 * Kernel("gaussian", {0.5}, {1.0, 2.0, 3.0});
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {500, 0.3});
  const std::vector<double> x = objective.pack(0.01);
  std::vector<double> one(x.size()), other(x.size());
  gramian::set_num_threads(1);
  const double value = objective.sample(x.data(), 1, 1, one.data());
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    CHECK_EQ(objective.sample(x.data(), 1, 1, other.data()), value);
    CHECK(one == other);
  }
  gramian::set_num_threads(0);
}

TEST_MAIN
