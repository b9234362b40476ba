// SPDX-License-Identifier: BSD-3-Clause
// What is refused, in words that name the argument; and what is done instead of what was asked.
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;
using namespace autoencoder_data;

namespace {

/// All arguments of a fit that would work.
struct Arguments {
  naive::Matrix<double> X = samples("moons", 12);
  MatrixView<const double> targets = X.view;
  std::vector<LayerPlan> layers = open_layers({1, 2}, 1e-3);
  autoencoder::Options options = iterations_of(2);
  std::vector<double> warm_start{};

  autoencoder::Fit fit() const {
    return autoencoder::fit(Points(X.view), targets, layers, options, warm_start.empty() ? WarmStart() : warm_start);
  }
};

const Kernel gaussian("gaussian", {1.0});

/// The message has the word.
void refused(const std::string& word, const std::function<void(Arguments&)>& change) {
  Arguments arguments;
  change(arguments);
  try {
    arguments.fit();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    return check::that(message.find(word) != std::string::npos, "no '" + word + "' in: " + message, __FILE__, __LINE__);
  }
  check::fail(__FILE__, __LINE__, "not refused: " + word);
}

}  // namespace

TEST(layers_have_to_fit_the_data) {
  refused("layers", [](Arguments& a) { a.layers.clear(); });
  refused("layers", [](Arguments& a) { a.layers.erase(a.layers.begin()); });
  refused("outputs", [](Arguments& a) { a.layers[0].outputs = 0; });
  refused("targets", [](Arguments& a) { a.layers[1].outputs = 3; });
  refused("penalty", [](Arguments& a) { a.layers[0].penalty = -1.0; });
  refused("penalty", [](Arguments& a) { a.layers[1].penalty = NAN; });
  refused("layer 1", [](Arguments& a) { a.layers[0].terms.push_back({gaussian, OutputOperator::identity(2)}); });
  refused("layer 1: A", [](Arguments& a) { a.layers[0].A = OutputOperator::identity(2); });
  refused("layer 2: A", [](Arguments& a) {
    a.layers[1].terms.push_back({gaussian, OutputOperator::identity(2)});
    a.layers[1].A = OutputOperator::identity(2);
  });
}

TEST(data_have_to_be_there) {
  refused("targets have 11 rows", [](Arguments& a) { a.targets = MatrixView<const double>(a.X.view.data(), 11, 2); });
  refused("finite", [](Arguments& a) { a.X(3, 1) = NAN; });
  refused("landmarks", [](Arguments& a) { a.options.landmarks = {0, 12}; });
  refused("landmarks", [](Arguments& a) { a.options.landmarks = {3, 2}; });
  refused("landmarks", [](Arguments& a) { a.options.landmarks = {-1, 2}; });
}

TEST(numbers_have_to_be_in_their_range) {
  const TrainingLimits limits = limits_of(2), negative = limits_of(-1), standing{2, 1e-6, 1e-9, 0.0};
  const auto with = [](auto training) { return [training](Arguments& a) { a.options.training = training; }; };
  refused("restarts", [](Arguments& a) { a.options.restarts = 0; });
  refused("step", with(autoencoder::EliminatedTraining{standing.solver<GradientDescentOptions>()}));
  refused("step", with(autoencoder::EliminatedTraining{standing.solver<autoencoder::AlternatingOptions>()}));
  refused("max_iterations", with(autoencoder::EliminatedTraining{negative.solver<LbfgsOptions>()}));
  refused("max_iterations", with(autoencoder::EliminatedTraining{negative.solver<autoencoder::AlternatingOptions>()}));
  refused("batch_size", with(autoencoder::JointTraining{limits.solver<AdamOptions>(), nullptr, -1}));
  refused("max_norm has 1", with(autoencoder::ConstrainedTraining{{1.0}}));
  refused("max_norm must", with(autoencoder::ConstrainedTraining{{1.0, 0.0}}));
  refused("max_norm must", with(autoencoder::ConstrainedTraining{{NAN, 1.0}}));
  autoencoder::AlternatingOptions none;
  none.inner_steps = 0;
  refused("inner_steps", with(autoencoder::EliminatedTraining{none}));
}

TEST(options_that_contradict_each_other_are_refused) {
  refused("batch_size needs",
          [](Arguments& a) { a.options.training = autoencoder::JointTraining{limits_of(2).solver<LbfgsOptions>(), nullptr, 4}; });
  const auto alternating = [](Arguments& a) {
    a.options.training = autoencoder::EliminatedTraining{autoencoder::AlternatingOptions()};
  };
  refused("AlternatingOptions", [&](Arguments& a) { alternating(a), a.layers[1].penalty = 0.0; });
  refused("AlternatingOptions", [&](Arguments& a) { alternating(a), a.layers[1].theta = norm_penalty(1.0); });
  refused("AlternatingOptions", [&](Arguments& a) { alternating(a), a.options.landmarks = {0, 1}; });
  refused("terms", [](Arguments& a) { a.layers[1].terms.assign(2, {gaussian, OutputOperator::identity(2)}); });
}

TEST(what_is_said_to_take_instead_is_taken) {
  using autoencoder::AlternatingOptions, autoencoder::EliminatedTraining, autoencoder::JointTraining;
  const auto fitted_by = [](auto training, std::vector<Index> landmarks) {
    Arguments a;
    a.options.training = std::move(training);
    a.options.landmarks = std::move(landmarks);
    CHECK(a.fit().result.iterations <= 2);
  };
  refused("take LbfgsOptions", [](Arguments& a) {
    a.options.training = EliminatedTraining{AlternatingOptions()};
    a.options.landmarks = {0, 1};
  });
  fitted_by(EliminatedTraining{limits_of(2).solver<LbfgsOptions>()}, {0, 1});
  fitted_by(EliminatedTraining{limits_of(2).solver<AlternatingOptions>()}, {});
  refused("needs AdamOptions or SgdOptions",
          [](Arguments& a) { a.options.training = JointTraining{limits_of(2).solver<LbfgsOptions>(), nullptr, 4}; });
  fitted_by(JointTraining{limits_of(2).solver<AdamOptions>(), nullptr, 4}, {});
  fitted_by(JointTraining{limits_of(2).solver<SgdOptions>(), nullptr, 4}, {});
}

TEST(a_warm_start_has_a_number_for_each_variable) {
  const std::vector<LayerPlan> given = layers_with({gaussian, gaussian}, {1, 2}, {1e-3, 1e-3});
  refused("warm_start needs the terms", [](Arguments& a) { a.warm_start.assign(12, 0.1); });
  refused("warm_start has 13 numbers, but there are 12", [&](Arguments& a) { a.layers = given, a.warm_start.assign(13, 0.1); });
  refused("warm_start has a number", [&](Arguments& a) { a.layers = given, a.warm_start.assign(12, NAN); });
  refused("warm_start has 12 numbers, but there are 36", [&](Arguments& a) {
    a.layers = given;
    a.warm_start.assign(12, 0.1);
    a.options.training = autoencoder::JointTraining();
  });
  Arguments inner, all;
  inner.layers = all.layers = given;
  inner.warm_start.assign(12, 0.1);
  all.warm_start.assign(36, 0.1);  // those of the last layer are not asked for
  CHECK_EQ(inner.fit().objective, all.fit().objective);
}

TEST(a_last_layer_that_cannot_be_eliminated_is_trained_jointly) {
  Arguments arguments;
  CHECK(!arguments.fit().joint);
  arguments.layers[1].penalty = 0.0;
  const autoencoder::Fit fit = arguments.fit();
  CHECK(fit.joint);
  CHECK_EQ(fit.result.x.size(), 12u * 3u);
  arguments.layers[1].theta = norm_penalty(1e-3);
  CHECK(arguments.fit().joint);
  arguments.layers[1].theta = linear_penalty(1e-3);
  CHECK(!arguments.fit().joint);
  arguments.options.training = autoencoder::ConstrainedTraining{{1.0, std::numeric_limits<double>::infinity()}};
  CHECK(arguments.fit().joint);
  // The squared loss by its name is the one that needs no name.
  arguments.options = options_of(true, limits_of(2));
  const double value = arguments.fit().objective;
  std::get<autoencoder::JointTraining>(arguments.options.training).loss = squared_loss();
  CHECK_EQ(arguments.fit().objective, value);
}

// The same layers with another form of the same penalty.
TEST(a_theta_takes_the_place_of_a_penalty) {
  for (const bool joint : {false, true}) {
    Arguments plain, theta;
    plain.options = theta.options = options_of(joint, limits_of(5));
    for (LayerPlan& layer : theta.layers) layer.theta = linear_penalty(layer.penalty), layer.penalty = 7.0;
    CHECK_EQ(plain.fit().objective, theta.fit().objective);
    theta.layers[0].theta = power_penalty(1e-3, 0.5);
    CHECK(plain.fit().objective != theta.fit().objective);
  }
}

TEST(operators_of_open_layers_are_taken) {
  Arguments arguments;
  arguments.layers[1].A = OutputOperator::diagonal({2.0, 0.5});
  const autoencoder::Fit fit = arguments.fit();
  CHECK(fit.model.layers[1].terms[0].A.form() == OutputOperator::Form::diagonal);
  CHECK_EQ(fit.model.layers[1].terms[0].kernel.info().name, std::string("gaussian"));
}

TEST(work_that_does_not_fit_is_refused_before_it_begins) {
  const Arguments arguments;
  set_memory_limit(2000);
  CHECK_THROWS(MemoryLimitError, arguments.fit());
  set_memory_limit(0);
  CHECK(std::isfinite(arguments.fit().objective));
}

TEST_MAIN
