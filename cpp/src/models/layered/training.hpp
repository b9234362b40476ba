// SPDX-License-Identifier: BSD-3-Clause
// What the trainings of a task have in common, and what is known of layers where one has ended.
#pragma once

#include <memory>
#include <vector>

#include "gramian/models/layered.hpp"
#include "models/layered/objective.hpp"

namespace gramian {

/// What all trainings on the same samples with the same kernels share, whatever their penalties: the Gram of the first layer, and
/// its features.
struct LayeredShare {
  /// at_once: trainings that share the memory.
  LayeredShare(const LayeredTask& task, int at_once);

  /// What is minimised, with a workspace of its own.
  LayeredObjective objective(const LayeredTask& task) const { return {task, layers.sibling(), features}; }

  Composition layers;                                    ///< those that are variables
  std::shared_ptr<const FeatureCoordinates> features{};  ///< of layer 1; null where it is described by its coefficients
};

/// All but how the starts have ended. Evaluates only if the objective is not at x already.
LayeredFit trained_layers(const LayeredTask& task, LayeredObjective& objective, const std::vector<double>& x);

/// L = 1 where it is solved for: there is nothing to search.
LayeredFit single_layer(const LayeredTask& task);

/// Bytes that one run needs, beside what all of them share; a little more rather than less. landmarks: 0 for all samples;
/// optimiser: numbers that it keeps.
std::uint64_t bytes_of_run(Index samples, Index landmarks, Index outputs, bool joint, double optimiser);

/// As many runs as there are threads, or one where threads would be left idle, memory does not suffice, or an observer watches
/// that is not concurrent.
int runs_at_once(std::uint64_t bytes, Index restarts, const Observer* observer);

}  // namespace gramian
