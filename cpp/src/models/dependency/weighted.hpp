// SPDX-License-Identifier: BSD-3-Clause
// Samples with weights, as samples without them: features times the roots of the weights, and penalties times their mean.
#pragma once

#include <vector>

#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

/// A fit sees n samples, and there are sum w: lambda and epsilon, which it multiplies by n, are times the mean weight.
class WeightedSamples {
 public:
  WeightedSamples(const GramSource& inputs, const GramSource& outputs, const std::vector<double>& weights);

  GramSource inputs() const { return k_.view(); }
  GramSource outputs() const { return L_.view(); }

  /// Those of the fit without weights.
  Options options(Options given) const;

  /// From what was learned of features times roots to what holds for the features themselves.
  void finish(Fit& fit) const;

 private:
  std::vector<double> roots_;
  double mean_;
  Matrix k_, L_;
};

}  // namespace gramian::dependency
