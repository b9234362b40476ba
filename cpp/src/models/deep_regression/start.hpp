// SPDX-License-Identifier: BSD-3-Clause
// Where the training of a deep regression begins.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/deep_regression/samples.hpp"
#include "models/layered/objective.hpp"

namespace gramian::deep_regression {

/// Decides what was left open: the kernels of layers without terms, by the images of the first start.
std::vector<KernelLayer> decided_layers(const DistinctSamples& samples, const std::vector<LayerPlan>& layers,
                                        const Options& options);

/// The features of layer 1; null where it is described by its coefficients.
std::shared_ptr<const FeatureCoordinates> first_features(const LayeredTask& task, InnerParameters asked);

/// Coefficients of starts, made layer by layer. Where a start is the identity, images are as close to the layer's inputs (their
/// leading principal components, if there are fewer outputs) as its kernel allows; else they are draws from Gaussian processes
/// with the layer's kernels.
class Starts {
 public:
  /// features: of layer 1, or null.
  Starts(const LayeredTask& task, const Options& options, std::shared_ptr<const FeatureCoordinates> features)
      : task_(task), options_(options), features_(std::move(features)) {}

  /// The variables of a start. layers: those that are variables; it is moved about.
  std::vector<double> make(Index start, Composition& layers) const;
  /// The same; none where its images overflow.
  std::optional<std::vector<double>> try_make(Index start, Composition& layers) const;

 private:
  void first_layer(Index start, bool identity, Composition& layers, std::vector<double>& x, double* flat) const;
  void inner_layer(Index l, Index start, bool identity, Composition& layers, double* flat) const;

  const LayeredTask& task_;
  const Options& options_;
  std::shared_ptr<const FeatureCoordinates> features_;
};

}  // namespace gramian::deep_regression
