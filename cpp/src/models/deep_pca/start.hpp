// SPDX-License-Identifier: BSD-3-Clause
// Where deep kernel PCA begins, and where it ends at once.
#pragma once

#include <cstdint>

#include "gramian/linalg/eigen_top.hpp"
#include "gramian/models/deep_pca/train.hpp"
#include "models/deep_pca/measure.hpp"

namespace gramian::deep_pca {

/// How often each sample of an objective is there.
SampleMeasure measure_of(const TrainingObjective& objective);

/// Eigenvectors of the `count` largest eigenvalues of an operator on vectors of a number for each sample. Of a centred one they
/// are orthogonal to 1, with weights to S 1, also where its rank is below `count`: 1 has eigenvalue 0 as well, but levels that
/// see features centred tell it from others. With count = n it is the last of them.
Matrix top_vectors(const SampleMeasure& measure, Index count, SymmetricAction apply, double tolerance, bool centred);

/// Whether eigenvectors of K_1 solve all levels: linear kernels above the first.
bool has_closed_form(const std::vector<Level>& levels);

/// Kernel PCA of each level on the one before: writes H_1 .. H_J to x. A linear level after another takes over its first
/// components: all of its eigenvalues are equal, so that any directions would do, but these solve (6) too.
void start_by_kpca(TrainingObjective& objective, double* x);

/// Random orthonormal columns; `start` numbers the random stream.
void start_at_random(TrainingObjective& objective, std::uint64_t seed, Index start, double* x);

/// Behind the features, if eigenvalues are variables: the best ones.
void set_eigenvalues(TrainingObjective& objective, double* x);

/// H_j = the first s_j eigenvectors of K_1, which has residual 0 for either sign of eta_j: mathematics of (13), and of any number
/// of linear levels.
void solve_in_closed_form(TrainingObjective& objective, double* x);

/// The eigenproblems of (6) in turn, from x: that of the first level with the second one held, and each level above in what the
/// one below has found. Equal eigenvalues of upper levels are told apart by what their eigenvectors hold of K_1. Solutions where
/// the projectors on all levels commute with K_1 are the same for all signs of eta_j; in turn they are looked for with |eta_j|,
/// as with a negative one the first two levels would run away from each other.
OptimResult solve_self_consistently(TrainingObjective& objective, const SelfConsistent& options, double* x, Observer* observer);

}  // namespace gramian::deep_pca
