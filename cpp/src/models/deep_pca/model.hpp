// SPDX-License-Identifier: BSD-3-Clause
// From a point of the optimiser to a model.
#pragma once

#include "gramian/models/deep_pca/train.hpp"

namespace gramian::deep_pca {

/// Components by falling eigenvalue, each with its largest entry positive, unless the next level would see the difference.
/// Eigenvalues of an uncoupled model are those of K_j / eta_j. state: that of x.
Model make_model(TrainingObjective& objective, const double* x, const State& state, bool coupled);

}  // namespace gramian::deep_pca
