// SPDX-License-Identifier: BSD-3-Clause
// Arguments that do not fit together, and what is said of them.
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "gramian/models/deep_regression.hpp"
#include "support/check.hpp"
#include "support/message.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

const Kernel line("polynomial", {1, 1.0, 1.0}), hill("gaussian", {0.8});

LayerPlan layer(const Kernel& kernel, Index outputs) { return {{{kernel, OutputOperator::identity(outputs)}}, outputs, 0.1}; }

struct Call {
  naive::Matrix<double> X = naive::normal<double>(8, 2, 1), Y = naive::normal<double>(8, 1, 2);
  std::vector<LayerPlan> layers = {layer(line, 2), layer(hill, 1)};
  deep_regression::Options options{};

  deep_regression::Fit run() const { return deep_regression::fit(Points(X.view), Y.view, layers, options); }
};

deep_regression::Regression& regression(deep_regression::Options& options) {
  return std::get<deep_regression::Regression>(options.mode);
}

template <class Solver>
Solver solver(Index max_iterations, double step = 1e-2) {
  return TrainingLimits{max_iterations, 1e-5, 1e-7, step}.solver<Solver>();
}

/// The message of a call that something is changed in.
template <class Change>
std::string message(Change change) {
  Call call;
  call.options.restarts = 1;
  call.options.solver = solver<LbfgsOptions>(2);
  change(call);
  return check::message_of([&] { call.run(); });
}

template <class Change>
bool says(const char* what, Change change) {
  return message(change).find(what) != std::string::npos;
}

const std::shared_ptr<const Loss> huber = huber_loss(1.0);

}  // namespace

TEST(what_fits_together_passes) {
  CHECK_EQ(message([](Call&) {}), "");
  CHECK_EQ(message([](Call& c) { c.layers[1].theta = power_penalty(0.1, 2.0); }), "");
}

TEST(layers_are_checked) {
  CHECK(says("layers is empty", [](Call& c) { c.layers.clear(); }));
  CHECK(says("layer 1: outputs", [](Call& c) { c.layers[0].outputs = 0; }));
  CHECK(says("layer 2: penalty", [](Call& c) { c.layers[1].penalty = -1.0; }));
  CHECK(says("layer 1: a term has an A of size 2", [](Call& c) { c.layers[0].outputs = 3; }));
  CHECK(says("targets have 1 columns", [](Call& c) { c.layers[1] = layer(hill, 2); }));
}

TEST(data_are_checked) {
  CHECK(says("targets have 8 rows", [](Call& c) { c.X.view = MatrixView<double>(c.X.numbers.data(), 7, 2); }));
  CHECK(says("targets have an entry", [](Call& c) { c.Y(2, 0) = NAN; }));
  CHECK(says("input has an entry", [](Call& c) { c.X(2, 0) = INFINITY; }));
  CHECK(says("landmarks", [](Call& c) { regression(c.options).landmarks = {3, 1}; }));
  CHECK(says("landmarks", [](Call& c) { regression(c.options).landmarks = {3, 8}; }));
  CHECK(says("sample_weight has 2", [](Call& c) { regression(c.options).sample_weight = {1.0, 1.0}; }));
  CHECK(says("sample_weight must", [](Call& c) { regression(c.options).sample_weight.assign(8, -1.0); }));
  CHECK(says("all weights are 0", [](Call& c) { regression(c.options).sample_weight.assign(8, 0.0); }));
  CHECK(says("all of them have sample_weight 0", [](Call& c) {
    regression(c.options).sample_weight.assign(8, 1.0);
    regression(c.options).sample_weight[3] = 0.0;
    regression(c.options).landmarks = {3};
  }));
}

TEST(numbers_are_checked) {
  CHECK(says("restarts", [](Call& c) { c.options.restarts = 0; }));
  CHECK(says("refined_share", [](Call& c) { c.options.refined_share = 1.0; }));
  CHECK(says("max_iterations", [](Call& c) { c.options.solver = solver<LbfgsOptions>(-1); }));
  CHECK(says("step", [](Call& c) { c.options.solver = solver<AdamOptions>(2, 0.0); }));
  CHECK(says("init_scale", [](Call& c) { c.options.init_scale = 0.0; }));
  CHECK(says("distance_penalty", [](Call& c) { c.options.distance_penalty = -1.0; }));
  CHECK(says("distance_penalty", [](Call& c) {
    c.options.distance_penalty = 1.0;
    c.layers.erase(c.layers.begin());
  }));
}

TEST(losses_on_images_are_checked) {
  const auto targets = naive::normal<double>(8, 2, 3);
  CHECK_EQ(message([&](Call& c) { c.options.image_losses.push_back({1, huber, targets.view, 1.0}); }), "");
  CHECK(says("layer 2 is not an inner one", [&](Call& c) { c.options.image_losses.push_back({2, huber, targets.view, 1.0}); }));
  CHECK(says("a loss is missing", [&](Call& c) { c.options.image_losses.push_back({1, nullptr, targets.view, 1.0}); }));
  CHECK(says("2 columns", [&](Call& c) { c.options.image_losses.push_back({1, huber, c.Y.view, 1.0}); }));
  CHECK(says("weight", [&](Call& c) { c.options.image_losses.push_back({1, huber, targets.view, -1.0}); }));
}

TEST(interpolation_is_checked) {
  const auto interpolating = [](const auto& change) {
    return [change](Call& c) {
      c.options.mode = deep_regression::Interpolation();
      change(c);
    };
  };
  CHECK_EQ(message(interpolating([](Call&) {})), "");
  CHECK(says("one term", interpolating([](Call& c) { c.layers[1].terms.push_back(c.layers[1].terms[0]); })));
  CHECK(says("theta", interpolating([](Call& c) { c.layers[1].theta = norm_penalty(1.0); })));
}

TEST(a_last_layer_that_can_not_be_solved_for_is_trained) {
  const auto joint = [](const auto& change) {
    Call call;
    call.options.restarts = 1;
    call.options.solver = solver<LbfgsOptions>(2);
    change(call);
    return call.run().joint;
  };
  CHECK(!joint([](Call&) {}));
  CHECK(!joint([](Call& c) { c.layers[1].theta = linear_penalty(0.2); }));
  CHECK(!joint([](Call& c) { c.layers[0].theta = norm_penalty(0.2); }));
  CHECK(joint([](Call& c) { regression(c.options).joint = true; }));
  CHECK(joint([](Call& c) { regression(c.options).loss = huber; }));
  CHECK(joint([](Call& c) { c.layers[1].theta = norm_penalty(0.2); }));
  CHECK(joint([](Call& c) { c.layers[1].penalty = 0.0; }));
  CHECK(joint([](Call& c) { c.layers[1].terms.push_back({line, OutputOperator::identity(1)}); }));
}

TEST(features_need_terms_that_share_no_output) {
  CHECK(says("features are for terms", [](Call& c) {
    c.layers[0].terms.push_back({hill, OutputOperator::identity(2)});
    c.options.parameters = deep_regression::InnerParameters::features;
  }));
  Call call;
  call.options.restarts = 1;
  call.layers[0].terms.push_back({hill, OutputOperator::identity(2)});
  CHECK(call.run().parameters == deep_regression::InnerParameters::coefficients);
}

TEST_MAIN
