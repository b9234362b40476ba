// SPDX-License-Identifier: BSD-3-Clause
// The search for kernel, features and lambda: by gradients, or over a grid.
#pragma once

#include "gramian/models/embedding/classifier.hpp"

namespace gramian::embedding {

/// A kernel, features and lambda, and the way there.
struct Choice {
  std::optional<Kernel> kernel;
  std::vector<double> theta;
  double lambda = 0.0;
  OptimResult result;
  std::vector<Step> history;
  Matrix fold_losses;  ///< of a grid
  std::vector<double> fold_weights;
};

/// By Adam or L-BFGS. Throws NumericalError if nothing can be factored at the start.
Choice train(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const std::vector<double>& theta,
             const Options& options, Observer* observer);

/// Over a grid: the smallest mean of |e_y - f(x)|^2 over the samples of all folds. A step is a point of the
/// grid.
Choice search(const LabelledSample& sample, const Kernel& kernel, const Options& options, const GridSearch& grid,
              Observer* observer);

}  // namespace gramian::embedding
