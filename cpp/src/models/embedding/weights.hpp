// SPDX-License-Identifier: BSD-3-Clause
// The embedding of all samples once kernel, features and lambda are known: one system, and what it says of the sample.
#pragma once

#include "gramian/models/embedding/classifier.hpp"

namespace gramian::embedding {

/// What an embedding is made of. kernel: null for a linear one on the features.
struct Embedded {
  const LabelledSample& sample;
  const Kernel* kernel;
  FeatureMap* features;
  const double* theta;
  double lambda;
  bool calibrated = false;  ///< with a calibration, of leave-one-out values
};

/// phi(X; theta) without dropout, in blocks of rows; X must be dense.
Matrix features_of(FeatureMap& features, const double* theta, const Points& X);

/// Sets weights, form, complexity, risk and sensitivity, and a calibration if options.probabilities asks for it. sensitivity 0:
/// that of the criterion's rule. Throws NumericalError where the system can't be factored.
void embed(const Embedded& parts, const Options& options, Model& model);

}  // namespace gramian::embedding
