// SPDX-License-Identifier: BSD-3-Clause
// One training of a deep regression, from its starts to what is told of the best.
#pragma once

#include <memory>
#include <vector>

#include "models/deep_regression/start.hpp"

namespace gramian {

/// What all trainings on the same samples with the same kernels have in common, whatever their penalties: the Gram of the first
/// layer, and its features.
struct DeepShare {
  explicit DeepShare(const DeepTask& task, int at_once);

  Composition layers;  ///< those that are variables
  std::shared_ptr<const FeatureCoordinates> features;
};

class DeepTraining {
 public:
  /// Both outlive this.
  DeepTraining(const DeepTask& task, const DeepShare& share) : task_(task), share_(share) {}

  /// The variables of a start. Throws where its images overflow.
  std::vector<double> start(Index which) const;

  /// From a start, or from variables. May be called by several threads at once. Infinity, and no x, of a start that overflows.
  OptimResult run(Index which, Observer* observer) const;
  OptimResult run(const std::vector<double>& x, Observer* observer) const;

  /// All but the optimiser's results, at the variables x.
  void describe(const std::vector<double>& x, DeepRegressionFit& fit) const;
  /// The model alone.
  CompositionModel model(const std::vector<double>& x) const;

  /// What is minimised, with a workspace of its own.
  DeepObjective objective() const { return {task_, share_.layers.sibling(), share_.features}; }

 private:
  CompositionModel model(const DeepObjective& objective) const;
  OptimResult run_smoothed(std::vector<double> x, Observer* observer) const;

  const DeepTask& task_;
  const DeepShare& share_;
};

/// L = 1 where it is solved for: there is nothing to train.
void solve_single(const DeepTask& task, DeepRegressionFit& fit);

/// Bytes that one run needs, beside what all of them share; a little more rather than less.
std::uint64_t bytes_of_run(const DeepTask& task);
/// landmarks: 0 for all samples; outputs: of each layer.
std::uint64_t bytes_of_run(Index samples, Index landmarks, const std::vector<Index>& outputs, bool joint);

}  // namespace gramian
