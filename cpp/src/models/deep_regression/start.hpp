// SPDX-License-Identifier: BSD-3-Clause
// Where the training of a deep regression begins.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gramian/base/random.hpp"
#include "layers/feature_coordinates.hpp"
#include "models/deep_regression/objective.hpp"

namespace gramian {

/// The features of layer 1; null where it is described by its coefficients. layers: those that are variables.
std::shared_ptr<const FeatureCoordinates> first_features(const DeepTask& task, const Composition& layers);

/// Decides what was left open: the kernels of layers without terms, by the images of the first start.
std::vector<KernelLayer> decided_layers(const DeepSamples& samples, const std::vector<DeepRegressionLayer>& layers,
                                        const DeepRegressionOptions& options);

/// Coefficients of starts, made layer by layer. Where a start is the identity, images are as close to the layer's inputs (their
/// leading principal components, if there are fewer outputs) as its kernel allows; else they are draws from Gaussian processes
/// with the layer's kernels. Of many supports some are taken, drawn once and for all: the others begin with coefficients of 0.
class DeepStart {
 public:
  /// features: of layer 1, or null.
  DeepStart(const DeepTask& task, std::shared_ptr<const FeatureCoordinates> features)
      : task_(task), features_(std::move(features)) {}

  /// The variables of a start. layers: those that are variables; it is moved about.
  std::vector<double> make(Index start, Composition& layers) const;

 private:
  void first_layer(Index start, bool identity, Composition& layers, std::vector<double>& x, double* flat) const;
  void inner_layer(Index l, Index start, bool identity, Composition& layers, double* flat) const;
  void last_layer(Composition& layers, double* flat) const;
  RandomStream stream(Index start, Index l) const;

  const DeepTask& task_;
  std::shared_ptr<const FeatureCoordinates> features_;
};

}  // namespace gramian
