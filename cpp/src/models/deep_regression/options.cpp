// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "models/deep_regression/task.hpp"
#include "models/layered/training_checks.hpp"

namespace gramian {
namespace {

void check_layers(MatrixView<const double> targets, const std::vector<DeepRegressionLayer>& layers) {
  require(!layers.empty(), "layers is empty: a deep regression has at least one");
  for (std::size_t l = 0; l < layers.size(); ++l) check_layer(layers[l], layer_name(l));
  check_last_layer(layers.back(), targets);
}

void check_data(const PointSource& input, MatrixView<const double> targets, const DeepRegressionOptions& options) {
  check_samples(input, targets, options.landmarks);
  const std::vector<double>& weights = options.sample_weight;
  require(weights.empty() || static_cast<Index>(weights.size()) == input.size(),
          "sample_weight has " + std::to_string(weights.size()) + " numbers, but there are " + std::to_string(input.size()) +
              " samples");
  for (const double w : weights) require(std::isfinite(w) && w >= 0.0, "sample_weight must hold finite numbers, 0 or greater");
}

void check_images(const PointSource& input, const std::vector<DeepRegressionLayer>& layers,
                  const DeepRegressionOptions& options) {
  require(std::isfinite(options.distance_penalty) && options.distance_penalty >= 0.0,
          "distance_penalty must be a finite number, 0 or greater");
  require(options.distance_penalty == 0.0 || layers.size() >= 2,
          "distance_penalty is about the images of an inner layer: it needs two layers or more");
  for (const ImageLoss& image : options.image_losses) {
    require(image.layer >= 1 && image.layer < static_cast<Index>(layers.size()),
            "image_losses: layer " + std::to_string(image.layer) + " is not an inner one");
    const Index outputs = layers[static_cast<std::size_t>(image.layer - 1)].outputs;
    require(image.loss != nullptr, "image_losses: a loss is missing");
    require(image.targets.rows() == input.size() && image.targets.cols() == outputs,
            "image_losses: targets must have a row for each sample and " + std::to_string(outputs) + " columns");
    require(all_finite(image.targets), "image_losses: targets have an entry that is not finite");
    require(std::isfinite(image.weight) && image.weight >= 0.0, "image_losses: weight must be a finite number, 0 or greater");
  }
}

void check_numbers(const DeepRegressionOptions& options) {
  require(options.restarts >= 1, "restarts must be at least 1");
  require(options.refined_share >= 0.0 && options.refined_share < 1.0, "refined_share must be at least 0 and less than 1");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require_positive(options.step, "step");
  require_positive(options.start_scale, "start_scale");
}

void check_interpolation(const std::vector<DeepRegressionLayer>& layers, const DeepRegressionOptions& options) {
  if (!options.interpolate) return;
  require(options.loss == nullptr, "interpolation has no loss: every target is met");
  require(!options.joint, "interpolation solves for the last layer: joint must be false");
  require(options.landmarks.empty(), "with landmarks there are fewer functions than targets to meet: interpolate without them");
  require(options.sample_weight.empty(), "sample_weight has no meaning for interpolation: every target is met");
  require(layers.back().terms.size() <= 1, "the last layer of an interpolation has one term: add kernels up");
  require(layers.back().theta == nullptr, "the last layer of an interpolation has the penalty |f|^2: theta must be null");
}

}  // namespace

bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<DeepRegressionLayer>& layers,
                   const DeepRegressionOptions& options) {
  check_layers(targets, layers);
  check_data(input, targets, options);
  check_images(input, layers, options);
  check_numbers(options);
  check_interpolation(layers, options);
  if (options.interpolate) return false;
  const DeepRegressionLayer& last = layers.back();
  const bool squared = options.loss == nullptr || options.loss->squared();
  const bool linear = last.theta == nullptr || last.theta->linear();
  const double penalty = last.theta == nullptr ? last.penalty : last.theta->slope(0.0);
  const bool identity = last.terms.empty() || last.terms.front().A.form() == OutputOperator::Form::identity;
  const bool solvable = squared && linear && penalty > 0.0 && last.terms.size() <= 1 && (options.landmarks.empty() || identity);
  return options.joint || !solvable;
}

}  // namespace gramian
