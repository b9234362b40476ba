// SPDX-License-Identifier: BSD-3-Clause
// What is refused, in words that name the argument; and what is done instead of what was asked.
#include <functional>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;
using namespace autoencoder;

namespace {

/// All arguments of a fit that would work.
struct Arguments {
  naive::Matrix<double> X = samples("moons", 12);
  MatrixView<const double> targets = X.view;
  std::vector<AutoencoderLayer> layers = open_layers({1, 2}, 1e-3);
  AutoencoderOptions options;
  const double* warm_start = nullptr;
  Index iterations = 2;

  AutoencoderFit fit() const {
    AutoencoderOptions few = options;
    few.max_iterations = iterations;
    return fit_autoencoder(Points(X.view), targets, layers, few, warm_start);
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
  refused("restarts", [](Arguments& a) { a.options.restarts = 0; });
  refused("step", [](Arguments& a) { a.options.step = 0.0; });
  refused("batch_size", [](Arguments& a) { a.options.batch_size = -1; });
  refused("coefficient_fraction", [](Arguments& a) { a.options.coefficient_fraction = 0.0; });
  refused("coefficient_fraction", [](Arguments& a) { a.options.coefficient_fraction = 1.5; });
  refused("max_norm has 1", [](Arguments& a) { a.options.max_norm = {1.0}; });
  refused("max_norm must", [](Arguments& a) { a.options.max_norm = {1.0, 0.0}; });
  refused("max_norm must", [](Arguments& a) { a.options.max_norm = {NAN, 1.0}; });
  refused("inner_steps", [](Arguments& a) { a.options.inner_steps = 0; });
  refused("max_iterations", [](Arguments& a) { a.iterations = -1; });
}

TEST(options_that_contradict_each_other_are_refused) {
  refused("solver sgd", [](Arguments& a) { a.options.solver = AutoencoderSolver::sgd; });
  refused("batch_size", [](Arguments& a) { a.options.batch_size = 4; });
  refused("batch_size", [](Arguments& a) {
    a.options.solver = AutoencoderSolver::adam;
    a.options.batch_size = 4;
  });
  refused("coefficient_fraction", [](Arguments& a) { a.options.coefficient_fraction = 0.5; });
  refused("max_norm", [](Arguments& a) { a.options.max_norm = {1.0, 1.0}; });
  refused("loss", [](Arguments& a) {
    static const std::unique_ptr<Loss> huber = huber_loss(1.0);
    a.options.loss = huber.get();
  });
  const auto alternating = [](Arguments& a) { a.options.solver = AutoencoderSolver::alternating; };
  refused("alternating", [&](Arguments& a) { alternating(a), a.layers[1].penalty = 0.0; });
  refused("alternating", [&](Arguments& a) { alternating(a), a.options.last_layer = LastLayer::joint; });
  refused("alternating", [&](Arguments& a) { alternating(a), a.options.landmarks = {0, 1}; });
  refused("warm_start", [](Arguments& a) {
    static const std::vector<double> x(12, 0.1);
    a.warm_start = x.data();
  });
  refused("terms", [](Arguments& a) { a.layers[1].terms.assign(2, {gaussian, OutputOperator::identity(2)}); });
}

TEST(a_last_layer_that_cannot_be_eliminated_is_trained_jointly) {
  Arguments arguments;
  CHECK(arguments.fit().last_layer == LastLayer::eliminated);
  arguments.layers[1].penalty = 0.0;
  const AutoencoderFit fit = arguments.fit();
  CHECK(fit.last_layer == LastLayer::joint);
  CHECK_EQ(fit.result.x.size(), 12u * 3u);
  arguments.layers[1].penalty = 1e-3;
  arguments.options.solver = AutoencoderSolver::gradient_descent;
  arguments.options.max_norm = {1.0, std::numeric_limits<double>::infinity()};
  CHECK(arguments.fit().last_layer == LastLayer::joint);
  // The squared loss by its name is the one that needs no name.
  const std::unique_ptr<Loss> squared = squared_loss();
  Arguments other;
  const double value = other.fit().objective;
  other.options.loss = squared.get();
  CHECK_EQ(other.fit().objective, value);
}

TEST(operators_of_open_layers_are_taken) {
  Arguments arguments;
  arguments.layers[1].A = OutputOperator::diagonal({2.0, 0.5});
  const AutoencoderFit fit = arguments.fit();
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
