// SPDX-License-Identifier: BSD-3-Clause
// Embedding classifiers in the span of landmarks, of samples that were summed up elsewhere.
#pragma once

#include "gramian/gram/landmark_features.hpp"
#include "gramian/models/embedding/classifier.hpp"

namespace gramian::embedding {

/// What is known of all samples.
struct SummedSamples {
  NormalSystem system{};  ///< of LandmarkFeatures::system(), with a column of 0 and 1 for each class as Y
  double weight = 0.0;    ///< the sum of the weights
  Index count = 0;        ///< the number of samples
};

/// The classifier of all samples for a kernel and options.lambda that are known, [MCE] Alg. 2, lines 7-8: Model::weights has a
/// row for each pivot of the features, in their order, and Model::landmarks are these. sample: some of the samples, of which
/// calibration, risk, accuracy, predicted classes, and a sensitivity that is not known beforehand are taken. Of options only
/// lambda, epsilon, sensitivity and probabilities are read. O(m^3 + s m^2) for s samples. Throws std::invalid_argument if sizes
/// disagree, a number is not finite or out of its range; NumericalError where the system can't be factored, MemoryLimitError.
GRAMIAN_API Model fit_sums(const LandmarkFeatures& features, SummedSamples sums, const LabelledSample& sample,
                           const Options& options);

}  // namespace gramian::embedding
