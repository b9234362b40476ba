// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gramian/base/error.hpp"
#include "models/layered/checks.hpp"

namespace gramian::autoencoder {
namespace {

void check_training(const EliminatedTraining& training, const std::vector<LayerPlan>& layers, const Options& options) {
  const auto* alternating = std::get_if<AlternatingOptions>(&training.solver);
  if (alternating == nullptr) return;
  require(alternating->inner_steps >= 1, "AlternatingOptions: inner_steps must be at least 1");
  require(has_linear_penalty(layers.back()),
          "AlternatingOptions: the last layer is solved for, its penalty must be linear and greater than 0");
  require(options.landmarks.empty(), "AlternatingOptions work without landmarks; take LbfgsOptions");
}

void check_training(const JointTraining& training, const std::vector<LayerPlan>&, const Options&) {
  require(training.batch_size >= 0, "batch_size must not be negative; 0 takes all samples");
  const bool stochastic =
      std::holds_alternative<AdamOptions>(training.solver) || std::holds_alternative<SgdOptions>(training.solver);
  require(training.batch_size == 0 || stochastic, "batch_size needs AdamOptions or SgdOptions");
}

void check_training(const ConstrainedTraining& training, const std::vector<LayerPlan>& layers, const Options&) {
  require(training.max_norm.size() == layers.size(), "max_norm has " + std::to_string(training.max_norm.size()) +
                                                         " numbers, it needs one for each of the " +
                                                         std::to_string(layers.size()) + " layers");
  for (const double s : training.max_norm) require(s > 0.0, "max_norm must hold numbers greater than 0, or infinity");
}

void check_weights(const std::vector<double>& weights, Index samples) {
  require(weights.empty() || static_cast<Index>(weights.size()) == samples,
          "weights has " + std::to_string(weights.size()) + " numbers, but there are " + std::to_string(samples) + " samples");
  for (const double w : weights) require(std::isfinite(w) && w > 0.0, "weights must hold finite numbers greater than 0");
}

void check_coefficients(WarmStart warm_start, const std::vector<LayerPlan>& layers, Index supports, bool joint) {
  if (!warm_start) return;
  const bool all_terms = std::none_of(layers.begin(), layers.end(), [](const LayerPlan& layer) { return layer.terms.empty(); });
  require(all_terms, "warm_start needs the terms of all layers: coefficients mean nothing without their kernels");
  Index all = 0;
  for (const LayerPlan& layer : layers) all += supports * layer.outputs;
  const Index inner = all - supports * layers.back().outputs;
  check_warm_start(warm_start, joint || warm_start.size == all ? all : inner);
}

}  // namespace

bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                   const Options& options, WarmStart warm_start) {
  require(layers.size() >= 2,
          "an autoencoder has at least 2 layers, one to encode and one to decode; layers has " + std::to_string(layers.size()));
  check_layers(layers, targets);
  check_samples(input, targets, options.landmarks);
  check_weights(options.weights, input.size());
  require(options.restarts >= 1, "restarts must be at least 1");
  std::visit([&](const auto& training) { check_training(training, layers, options); }, options.training);
  // Without a penalty there is no reduced objective where K_L is singular.
  const bool joint = !std::holds_alternative<EliminatedTraining>(options.training) || !has_linear_penalty(layers.back());
  const Index supports = options.landmarks.empty() ? input.size() : static_cast<Index>(options.landmarks.size());
  check_coefficients(warm_start, layers, supports, joint);
  return joint;
}

}  // namespace gramian::autoencoder
