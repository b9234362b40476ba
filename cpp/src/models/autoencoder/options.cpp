// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/options.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "models/layered/training_checks.hpp"

namespace gramian {
namespace {

void check_layers(MatrixView<const double> targets, const std::vector<AutoencoderLayer>& layers) {
  require(layers.size() >= 2,
          "an autoencoder has at least 2 layers, one to encode and one to decode; layers has " + std::to_string(layers.size()));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const AutoencoderLayer& layer = layers[l];
    const std::string name = layer_name(l);
    check_layer(layer, name);
    require(!layer.A || (layer.terms.empty() && layer.A->size() == layer.outputs),
            name + ": A is that of a layer without terms, and has the size of its outputs");
  }
  check_last_layer(layers.back(), targets);
}

void check_numbers(const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options) {
  require(options.restarts >= 1, "restarts must be at least 1");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(options.inner_steps >= 1, "inner_steps must be at least 1");
  require_positive(options.step, "step");
  require(options.batch_size >= 0, "batch_size must not be negative; 0 takes all samples");
  require(options.coefficient_fraction > 0.0 && options.coefficient_fraction <= 1.0,
          "coefficient_fraction must be greater than 0, and 1 at most");
  require(options.max_norm.empty() || options.max_norm.size() == layers.size(),
          "max_norm has " + std::to_string(options.max_norm.size()) + " numbers, it needs one for each of the " +
              std::to_string(layers.size()) + " layers");
  for (const double s : options.max_norm) require(s > 0.0, "max_norm must hold numbers greater than 0, or infinity");
}

void check_solver(LastLayer last, bool has_penalty, const AutoencoderOptions& options) {
  const AutoencoderSolver solver = options.solver;
  const bool estimates = options.batch_size > 0 || options.coefficient_fraction < 1.0;
  const bool stochastic = solver == AutoencoderSolver::sgd || solver == AutoencoderSolver::adam;
  require(!estimates || stochastic, "batch_size and coefficient_fraction need the solver sgd or adam");
  require(!estimates || last == LastLayer::joint, "batch_size and coefficient_fraction need LastLayer::joint");
  require(solver != AutoencoderSolver::sgd || last == LastLayer::joint, "the solver sgd needs LastLayer::joint");
  require(options.max_norm.empty() || solver == AutoencoderSolver::gradient_descent,
          "max_norm needs the solver gradient_descent");
  require(options.loss == nullptr || options.loss->squared() || last == LastLayer::joint,
          "a loss other than the squared one needs LastLayer::joint: the last layer has no closed form for it");
  if (solver != AutoencoderSolver::alternating) return;
  require(has_penalty, "the solver alternating solves for the last layer, whose penalty must be greater than 0");
  require(last == LastLayer::eliminated, "the solver alternating solves for the last layer: it needs LastLayer::eliminated");
  require(options.landmarks.empty(), "the solver alternating works without landmarks; take lbfgs");
}

}  // namespace

LastLayer checked_last_layer(const PointSource& input, MatrixView<const double> targets,
                             const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options, bool warm_start) {
  check_layers(targets, layers);
  check_samples(input, targets, options.landmarks);
  check_numbers(layers, options);
  bool all_terms = true;
  for (const AutoencoderLayer& layer : layers) all_terms = all_terms && !layer.terms.empty();
  require(!warm_start || all_terms, "warm_start needs the terms of all layers: coefficients mean nothing without their kernels");
  // Without a penalty there is no reduced objective where K_L is singular; under a bound on the norm it is not the ridge problem.
  const bool has_penalty = layers.back().penalty > 0.0;
  const LastLayer last = has_penalty && options.max_norm.empty() ? options.last_layer : LastLayer::joint;
  check_solver(last, has_penalty, options);
  return last;
}

}  // namespace gramian
