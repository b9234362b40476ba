// SPDX-License-Identifier: BSD-3-Clause
// What can't be asked for, and what would not fit.
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/layers/feature_network.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"
#include "support/message.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

const Sample data(20, 2, 2, 0.5, 1);
const Kernel linear("linear", {});

embedding::Options few_steps() { return learning_by(embedding::ValidationSearch(), 2); }

/// The message of the error that the fit ends with; empty if it does not.
template <class Error = std::invalid_argument, class Change>
std::string message(Change change, FeatureMap* features = nullptr, const Kernel* kernel = nullptr) {
  embedding::Options options = few_steps();
  change(options);
  return check::message_of<Error>([&] { embedding::fit(data.view(), kernel, features, options); });
}

/// Changes a grid that is asked for.
template <class Change>
auto grid(Change change) {
  return [change](embedding::Options& o) { change(o.learning.emplace<embedding::GridSearch>()); };
}

bool says(const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; }

}  // namespace

TEST(options_out_of_range_are_named) {
  CHECK(message([](embedding::Options&) {}).empty());
  CHECK(says(message([](embedding::Options& o) { o.lambda = 0.0; }), "lambda"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->step = -1.0; }), "step"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->patience->tolerance = -1.0; }), "tolerance"));
  CHECK(says(message([](embedding::Options& o) { std::get<embedding::ValidationSearch>(o.learning).tau = -1.0; }), "tau"));
  CHECK(
      says(message([](embedding::Options& o) { std::get<embedding::ValidationSearch>(o.learning).fraction = 1.0; }), "fraction"));
  CHECK(says(message([](embedding::Options& o) { o.epsilon = 0.0; }), "epsilon"));
  CHECK(says(message([](embedding::Options& o) { o.sensitivity = -1.0; }), "sensitivity"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->max_iterations = -1; }), "max_iterations"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->patience->window = 0; }), "window"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->patience->average = 0; }), "average"));
  CHECK(says(message([](embedding::Options& o) { adam_of(o)->batch_size = -1; }), "batch_size"));
  CHECK(says(message(grid([](embedding::GridSearch& g) { g.lambda_grid = {-1.0}; })), "lambda_grid"));
  CHECK(says(message(grid([](embedding::GridSearch& g) { g.scale_grid = {0.0}; })), "scale_grid"));
  CHECK(says(message(grid([](embedding::GridSearch& g) { g.scale_grid.clear(); })), "scale_grid"));
  CHECK(says(message([](embedding::Options& o) { o.landmarks = {3, 2}; }), "landmarks"));
  CHECK(says(message([](embedding::Options& o) { o.landmarks = {20}; }), "landmarks"));
}

TEST(options_that_contradict_each_other_are_named) {
  const auto map = feature_network(2, {{3, Activation::tanh}});
  CHECK(says(message(grid([](embedding::GridSearch&) {}), map.get(), &linear), "GridSearch"));
  CHECK(says(message([](embedding::Options& o) { o.learning = embedding::MedianLengths(); }, map.get()), "MedianLengths"));
  CHECK(says(message([](embedding::Options& o) { o.landmarks = {1}; }, map.get()), "landmarks"));
  CHECK(says(message(grid([](embedding::GridSearch& g) { g.folds = 1; })), "folds"));
  CHECK(says(message(grid([](embedding::GridSearch& g) { g.folds = 21; })), "folds"));
  const std::vector<double> short_of_one(static_cast<std::size_t>(map->parameter_count() - 1));
  CHECK_THROWS(std::invalid_argument, embedding::fit(data.view(), nullptr, map.get(), few_steps(), short_of_one));
  const auto wide = feature_network(3, {{3, Activation::tanh}});
  CHECK(says(message([](embedding::Options&) {}, wide.get()), "3"));
}

TEST(samples_that_are_none_are_named) {
  Sample wrong = data;
  wrong.labels[3] = 2;
  CHECK_THROWS(std::invalid_argument, embedding::fit(wrong.view(), nullptr, nullptr, few_steps()));
  wrong = data;
  wrong.weights.assign(20, 1.0);
  wrong.weights[2] = -1.0;
  CHECK_THROWS(std::invalid_argument, embedding::fit(wrong.view(), nullptr, nullptr, few_steps()));
  wrong.weights.assign(20, 0.0);
  CHECK_THROWS(std::invalid_argument, embedding::fit(wrong.view(), nullptr, nullptr, few_steps()));
  wrong = data;
  wrong.X(4, 1) = NAN;
  CHECK_THROWS(std::invalid_argument, embedding::fit(wrong.view(), &linear, nullptr, few_steps()));
  const Index start[3] = {0, 1, 2}, backwards[3] = {0, 2, 1}, columns[2] = {0, 7};
  const double values[2] = {1.0, 2.0};
  embedding::LabelledSample sparse = data.view();
  sparse.X = SparseRows<double>{2, 2, start, columns, values};
  CHECK_THROWS(std::invalid_argument, embedding::fit(sparse, nullptr, nullptr, few_steps()));
  sparse.X = SparseRows<double>{2, 8, backwards, columns, values};
  CHECK_THROWS(std::invalid_argument, embedding::fit(sparse, nullptr, nullptr, few_steps()));
  embedding::LabelledSample empty = data.view();
  empty.labels = nullptr;
  CHECK_THROWS(std::invalid_argument, embedding::fit(empty, nullptr, nullptr, few_steps()));
}

TEST(what_does_not_fit_says_what_helps) {
  const auto tiny = [](embedding::Options& o) { o.memory_budget = 2000; };
  CHECK(says(message<MemoryLimitError>(tiny), "landmarks"));
  const auto supported = [&](embedding::Options& o) { tiny(o), o.landmarks = {1, 2, 3}; };
  CHECK(says(message<MemoryLimitError>(supported), "batch_size"));
  CHECK(message<MemoryLimitError>([&](embedding::Options& o) { supported(o), adam_of(o)->batch_size = 8; }).empty());
  CHECK(message<MemoryLimitError>([&](embedding::Options& o) { supported(o), o.learning = embedding::AsGiven(); }).empty());
  const auto map = feature_network(2, {{3, Activation::tanh}});
  CHECK(message<MemoryLimitError>(tiny, map.get()).empty());
  // A linear kernel of two coordinates needs no n x n system.
  CHECK(message<MemoryLimitError>(tiny, nullptr, &linear).empty());
  CHECK(says(message<MemoryLimitError>([&](embedding::Options& o) { tiny(o), o.keep_samples = true; }, nullptr, &linear),
             "landmarks"));
  set_memory_limit(std::uint64_t(1) << 20);
  const Sample many(900, 2, 2, 0.5, 1);
  const auto broad = feature_network(2, {{800, Activation::tanh}});
  std::string refusal;
  try {
    embedding::fit(many.view(), nullptr, broad.get(), few_steps());
  } catch (const MemoryLimitError& error) {
    refusal = error.what();
  }
  const embedding::Options whole = [] {
    embedding::Options o = few_steps();
    o.learning = embedding::AsGiven();
    return o;
  }();
  std::string exact;
  try {
    embedding::fit(many.view(), nullptr, nullptr, whole);
  } catch (const MemoryLimitError& error) {
    exact = error.what();
  }
  CHECK(says(exact, "the exact embedding needs"));  // without a budget there is the limit of memory
  set_memory_limit(0);
  CHECK(says(refusal, "the system of 800 explicit features") && says(refusal, "fewer features"));
  const auto folds = [&](embedding::Options& o) { supported(o), o.learning = embedding::GridSearch(); };
  CHECK(says(message<MemoryLimitError>(folds), "batch_size"));
  const auto linear_folds = [&](embedding::Options& o) { tiny(o), o.learning = embedding::GridSearch(); };
  CHECK(message<MemoryLimitError>(linear_folds, nullptr, &linear).empty());
}

TEST_MAIN
