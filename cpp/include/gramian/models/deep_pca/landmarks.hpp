// SPDX-License-Identifier: BSD-3-Clause
// Kernel PCA of one level and many samples, in the span of landmarks.
#pragma once

#include "gramian/gram/landmark_features.hpp"
#include "gramian/models/deep_pca/train.hpp"

namespace gramian::deep_pca {

/// Kernel PCA of n samples with K = Phi Phiᵀ for the features Phi of m landmarks (LandmarkFeatures) in the place of the kernel:
/// the eigenvectors of PhiᵀPhi, m x m, are those of K. The model has the landmarks for training samples: its features are
/// theirs, coefficients and centre say what stands for sums over all samples. Where K has fewer eigenvalues than there are
/// components, the others are 0. captured_trace is what the components hold of the trace of the kernel itself.
///
/// weights: n x 1, how often each sample is there, 0 or greater; empty: once. O(n m (d + 2 m)) time, memory for a few m x m
/// matrices. Throws std::invalid_argument as LandmarkFeatures does, for weights that are all 0, and for a level without
/// components, more components than landmarks, or an eta that is 0; MemoryLimitError.
GRAMIAN_API Fit fit_landmarks(const Points& X, const Points& landmarks, const Level& level, bool centred,
                              MatrixView<const double> weights = {});
/// The same bits for rows that are read a block at a time.
GRAMIAN_API Fit fit_landmarks(const RowSource& X, const Points& landmarks, const Level& level, bool centred,
                              MatrixView<const double> weights = {});

/// Sums of n samples that are not there any more: a NormalSystem of the kernel at the landmarks whose right side is that of a
/// column of ones, and the trace of the kernel, all of them weighted.
struct Sums {
  NormalSystem system{};
  double trace = 0.0;
  double samples = 0.0;  ///< the sum of their weights
};

/// The same from sums. Sums of squared kernel values have half the digits: of the landmarks' trace 1e-8 is left out.
GRAMIAN_API Fit fit_landmarks(const Sums& sums, const Points& landmarks, const Level& level, bool centred);

}  // namespace gramian::deep_pca
