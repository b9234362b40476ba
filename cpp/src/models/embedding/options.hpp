// SPDX-License-Identifier: BSD-3-Clause
// What a fit of an embedding is asked for, checked before any work.
#pragma once

#include "gramian/models/embedding/classifier.hpp"

namespace gramian::embedding {

/// Throws std::invalid_argument, or MemoryLimitError for a fit that would not fit.
void check(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features, const Options& options);

/// Whether a linear kernel is embedded in its coordinates, d x d, as there are fewer of them than samples.
bool supported_by_coordinates(const LabelledSample& sample, const Kernel* kernel, const FeatureMap* features,
                              const Options& options);

/// The solver of a search by gradients; null for any other way to learn.
const Solver* solver_of(const Learning& learning);

/// As a search sees it: where nothing bounds features that are learned, neither they themselves nor a kernel on top, its
/// sensitivity is 1 unless it was given. With that of the samples, weights that grow raise r with them, and a search that starts
/// from a nearly constant classifier ends in one.
Criterion searched_criterion(const Options& options, const Kernel* kernel, const FeatureMap* features);

/// With a part held out for validation alone.
Batches batches_of(const Learning& learning);

}  // namespace gramian::embedding
