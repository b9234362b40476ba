// SPDX-License-Identifier: BSD-3-Clause
// The search for kernel, features and lambda: by gradients, or over a grid.
#pragma once

#include "gramian/models/embedding/classifier.hpp"

namespace gramian {

/// A kernel, features and lambda, and the way there.
struct EmbeddingChoice {
  std::optional<Kernel> kernel;
  std::vector<double> theta;
  double lambda = 0.0;
  OptimResult result;
  std::vector<EmbeddingStep> history;
  Matrix fold_losses;  ///< of a grid
  std::vector<double> fold_weights;
};

/// By Adam or L-BFGS. Throws NumericalError if nothing can be factored at the start.
EmbeddingChoice train_embedding(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features,
                                const std::vector<double>& theta, const EmbeddingOptions& options, Observer* observer);

/// Over a grid: the smallest mean of |e_y - f(x)|^2 over the samples of all folds. A step is a point of the
/// grid.
EmbeddingChoice search_embedding(const LabelledSample& sample, const Kernel& kernel, const EmbeddingOptions& options,
                                 const GridSearch& grid, Observer* observer);

}  // namespace gramian
