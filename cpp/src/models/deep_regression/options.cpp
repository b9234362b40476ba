// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "models/deep_regression/options.hpp"
#include "models/layered/checks.hpp"

namespace gramian::deep_regression {
namespace {

void check_mode(const Regression& mode, const PointSource& input, const std::vector<LayerPlan>&) {
  const std::vector<double>& weights = mode.sample_weight;
  require(weights.empty() || static_cast<Index>(weights.size()) == input.size(),
          "sample_weight has " + std::to_string(weights.size()) + " numbers, but there are " + std::to_string(input.size()) +
              " samples");
  for (const double w : weights) require(std::isfinite(w) && w >= 0.0, "sample_weight must hold finite numbers, 0 or greater");
}

void check_mode(const Interpolation&, const PointSource&, const std::vector<LayerPlan>& layers) {
  require(layers.back().terms.size() <= 1, "the last layer of an interpolation has one term: add kernels up");
  require(layers.back().theta == nullptr, "the last layer of an interpolation has the penalty |f|^2: theta must be null");
}

void check_images(const PointSource& input, const std::vector<LayerPlan>& layers, const Options& options) {
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

void check_numbers(const Options& options) {
  require(options.restarts >= 1, "restarts must be at least 1");
  require(options.refined_share >= 0.0 && options.refined_share < 1.0, "refined_share must be at least 0 and less than 1");
  require(std::isfinite(options.init_scale) && options.init_scale > 0.0, "init_scale must be a finite number greater than 0");
}

bool solvable(const LayerPlan& last, const Regression& mode) {
  const bool squared = mode.loss == nullptr || mode.loss->squared();
  const bool identity = last.terms.empty() || last.terms.front().A.form() == OutputOperator::Form::identity;
  return squared && has_linear_penalty(last) && last.terms.size() <= 1 && (mode.landmarks.empty() || identity);
}

}  // namespace

const Regression& regression_of(const Options& options) {
  static const Regression none;
  const Regression* mode = std::get_if<Regression>(&options.mode);
  return mode == nullptr ? none : *mode;
}

bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                   const Options& options) {
  require(!layers.empty(), "layers is empty: a deep regression has at least one");
  check_layers(layers, targets);
  check_samples(input, targets, regression_of(options).landmarks);
  std::visit([&](const auto& mode) { check_mode(mode, input, layers); }, options.mode);
  check_images(input, layers, options);
  check_numbers(options);
  const Regression* mode = std::get_if<Regression>(&options.mode);
  return mode != nullptr && (mode->joint || !solvable(layers.back(), *mode));
}

}  // namespace gramian::deep_regression
