// SPDX-License-Identifier: BSD-3-Clause
// Options of dependency estimation that contradict each other, or the samples.
#include "models/dependency/options.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"
#include "support/message.hpp"

using namespace dependency_data;
namespace dependency = gramian::dependency;

namespace {

/// The message for changed options; empty if they are taken.
template <class Change>
std::string message(Change change) {
  const Matrix K = gram(gaussian(), normal(6, 2, 1), normal(6, 2, 1));
  dependency::Options options;
  change(options);
  return check::message_of([&] { dependency::check(GramSource(view(K)), GramSource(view(K)), options); });
}

using check::contains;

}  // namespace

TEST(options_out_of_range_are_named) {
  CHECK(message([](dependency::Options&) {}).empty());
  CHECK(contains(message([](dependency::Options& o) { o.lambda = 0.0; }), "lambda"));
  CHECK(contains(message([](dependency::Options& o) { o.lambdas = {0.1, -0.1}; }), "lambda"));
  CHECK(message([](dependency::Options& o) { o.lambda = 0.0, o.lambdas = {0.1}; }).empty());  // it is not used then
  CHECK(contains(message([](dependency::Options& o) { o.output_operator = gramian::ConditionalOperator{0.0}; }), "epsilon"));
  CHECK(contains(message([](dependency::Options& o) { o.components = 7; }), "components"));
}

TEST(options_that_contradict_each_other_are_named) {
  CHECK(contains(message([](dependency::Options& o) { o.components = 2, o.ranks.emplace(); }), "exclude each other"));
  CHECK(contains(message([](dependency::Options& o) { o.centred = true; }), "there are none"));
  CHECK(contains(message([](dependency::Options& o) { o.held_out = {1}; }), "lambdas, which is empty"));
  const auto held_out = [](std::vector<Index> rows) {
    return message([&](dependency::Options& o) { o.lambdas = {0.1}, o.held_out = rows; });
  };
  CHECK(held_out({5, 0}).empty());
  CHECK(contains(held_out({6}), "from 0 to 5"));
  CHECK(contains(held_out({-1}), "from 0 to 5"));
  CHECK(contains(held_out({2, 2}), "at most once"));
  CHECK(contains(held_out({0, 1, 2, 3, 4, 5}), "leave a sample"));
}

TEST(the_lambda_of_the_smallest_criterion_is_the_first_one) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK_EQ(dependency::smallest({3.0, 1.0, 1.0}), std::size_t(1));
  CHECK_EQ(dependency::smallest({nan, infinity, 2.0, nan}), std::size_t(2));
  CHECK_THROWS(gramian::NumericalError, dependency::smallest({nan, infinity}));
  dependency::Options options;
  CHECK(dependency::candidates_for_lambda(options) == std::vector<double>{options.lambda});
  options.lambdas = {0.5, 0.25};
  CHECK(dependency::candidates_for_lambda(options) == options.lambdas);
}

TEST_MAIN
