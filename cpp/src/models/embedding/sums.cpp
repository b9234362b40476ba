// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/embedding/sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/full.hpp"
#include "models/embedding/feature_system.hpp"

namespace gramian::embedding {
namespace {

constexpr Index matrices_of_a_fit = 2;  // of the landmarks: the system and its factor

void check(const LandmarkFeatures& features, const SummedSamples& sums, const LabelledSample& sample, const Options& options) {
  const Index k = features.rank();
  check_sample(sample);
  require_shape(sums.system.square.view(), k, k, "square");
  require_shape(sums.system.right.view(), k, sample.classes, "right");
  require_finite(sums.system.square.view(), "square");
  require_finite(sums.system.right.view(), "right");
  require_positive(sums.weight, "weight");
  require(sums.count > 0, "count must be above 0");
  require_positive(options.lambda, "lambda");
  require(options.epsilon > 0.0 && options.epsilon < 1.0, "epsilon must be in (0, 1)");
  require_memory(bytes_of(k, k, matrices_of_a_fit), "the system of the embedding", "use fewer landmarks");
}

/// The largest sqrt(k(x, x)) of samples that count.
double largest_feature(const Kernel& kernel, const LabelledSample& sample) {
  Matrix squares(sample.X.size(), 1);
  diagonal(kernel, sample.X, squares.view());
  double largest = 0.0;
  for (Index i = 0; i < squares.rows(); ++i) {
    if (sample.weight(i) > 0.0) largest = std::max(largest, squares(i, 0));
  }
  return std::sqrt(largest);
}

}  // namespace

Model fit_sums(const LandmarkFeatures& features, SummedSamples sums, const LabelledSample& sample, const Options& options) {
  check(features, sums, sample, options);
  const auto apply = [&](const Points& some, MatrixView<double> Z) { features.apply(some, Z); };
  FeatureSystem system(sample, std::move(sums.system), sums.weight, options.lambda, apply);
  Model model;
  model.kernel = features.kernel();
  model.lambda = options.lambda;
  model.landmarks = features.basis().pivots();
  if (options.probabilities == Probabilities::calibrated) model.calibration = system.calibration(sums.count);
  const double alpha = known_sensitivity(Criterion{options}, &features.kernel());
  system.describe(alpha > 0.0 ? alpha : largest_feature(features.kernel(), sample), options.epsilon, model);
  model.form = Form::gram;
  features.basis().divide_transposed(model.weights.view());
  return model;
}

}  // namespace gramian::embedding
