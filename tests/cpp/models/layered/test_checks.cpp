// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/checks.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

const double nan_number = std::numeric_limits<double>::quiet_NaN();

/// The message for two layers of which the first one is changed; empty if they are taken.
template <class Change>
std::string layers_message(Change change) {
  const Data data = ridge_data(5);
  std::vector<LayerPlan> layers = {layer(hill, 2, 0.1), layer(hill, 1, 0.1)};
  change(layers);
  return message_of([&] { check_layers(layers, data.Y.view()); });
}

}  // namespace

TEST(layers_that_do_not_fit_are_named) {
  using Layers = std::vector<LayerPlan>;
  CHECK(layers_message([](Layers&) {}).empty());
  CHECK(says(layers_message([](Layers& all) { all[0].outputs = 0; }), "layer 1: outputs"));
  CHECK(says(layers_message([](Layers& all) { all[1].penalty = nan_number; }), "layer 2: penalty"));
  CHECK(says(layers_message([](Layers& all) { all[0].outputs = 3; }), "A of size 2"));
  CHECK(says(layers_message([](Layers& all) { all[0].A = OutputOperator::identity(2); }), "a layer without terms"));
  CHECK(layers_message([](Layers& all) { all[0].terms.clear(), all[0].A = OutputOperator::identity(2); }).empty());
  CHECK(says(layers_message([](Layers& all) { all[1] = layer(hill, 2, 0.1); }), "targets have 1 columns"));
}

TEST(samples_and_landmarks_are_checked) {
  const Data data = ridge_data(5), fewer = ridge_data(4);
  Matrix bad = data.Y.clone();
  bad(3, 0) = nan_number;
  const auto message = [&](const Matrix& Y, const std::vector<Index>& landmarks) {
    return message_of([&] { check_samples(Points(data.X.view()), Y.view(), landmarks); });
  };
  CHECK(message(data.Y, {}).empty());
  CHECK(message(data.Y, {0, 4}).empty());
  CHECK(says(message(fewer.Y, {}), "targets have 4 rows"));
  CHECK(says(message(bad, {}), "not finite"));
  CHECK(says(message(data.Y, {4, 0}), "landmarks"));
  CHECK(says(message(data.Y, {5}), "landmarks"));
}

TEST(a_warm_start_has_a_number_for_each_variable) {
  const std::vector<double> start = {1.0, 2.0}, bad = {1.0, nan_number};
  CHECK(message_of([&] { check_warm_start(start, 2); }).empty());
  CHECK(message_of([&] { check_warm_start({}, 2); }).empty());
  CHECK(says(message_of([&] { check_warm_start(start, 3); }), "has 2 numbers, but there are 3 variables"));
  CHECK(says(message_of([&] { check_warm_start(bad, 2); }), "not finite"));
}

TEST(a_linear_penalty_is_a_number_above_zero) {
  CHECK(has_linear_penalty(layer(hill, 1, 0.1)));
  CHECK(!has_linear_penalty(layer(hill, 1, 0.0)));
  LayerPlan plan = layer(hill, 1, 0.0);
  plan.theta = norm_penalty(0.5);
  CHECK(!has_linear_penalty(plan));
}

TEST_MAIN
