// SPDX-License-Identifier: BSD-3-Clause
// Conditional mean embeddings in the span of landmarks: of many samples, and of samples that arrive in parts.
#pragma once

#include <vector>

#include "gramian/gram/landmark_features.hpp"
#include "gramian/models/conditional_mean.hpp"

namespace gramian::conditional_mean {

/// An embedding whose operator takes features of m landmarks z among the inputs only. With K = k(X, Z), W the weights of the
/// samples, whose sum takes the place of n, and the rows p of k independent landmarks
///
///   beta(x) = W K_p (K_pᵀ W K_p + n lambda k(p, p))^-1 k(p, x).
struct LandmarkFit {
  std::vector<Index> pivots;  ///< p: k of the landmarks, in the order of the factor; the others are sums of these, up to rounding
  Matrix factor;              ///< F: k x k, lower triangular, F Fᵀ = K_pᵀ W K_p + n lambda k(p, p)
  Matrix coefficients;        ///< k x r: E[Y | x] = k(x, p) coefficients; empty without Y
};

/// The embedding of n samples in memory. Y: n x r, values of functions at the outputs, or empty; weights: n x 1 or empty for 1.
/// O(n m (d + 2 m + r) + m^3) time, and a few m x m matrices beside the samples. Throws std::invalid_argument as
/// LandmarkFeatures::system() does, and for a lambda that is not above 0; MemoryLimitError.
GRAMIAN_API LandmarkFit fit_landmarks(const Kernel& kernel, const Points& X, const Points& landmarks,
                                      MatrixView<const double> weights, MatrixView<const double> Y, const Options& options);
/// The same bits for rows that are read a block at a time.
GRAMIAN_API LandmarkFit fit_landmarks(const Kernel& kernel, const RowSource& X, const Points& landmarks,
                                      MatrixView<const double> weights, MatrixView<const double> Y, const Options& options);

/// The same embedding from sums over samples that are not there any more, projected on the span of some outputs y_1 .. y_s:
/// beta(x) = E F^-T F^-1 k(p, x) are weights of these.
struct SummedFit : LandmarkFit {
  std::vector<Index> output_pivots;  ///< which of the outputs have weights; the others are sums of these
  Matrix mixing;                     ///< E: a row for each of them, k columns
};

/// system: as NormalSum has it at the landmarks, for Y and, in the last s columns, l(y, y_j) of each of s outputs. weight: the
/// sum of the samples' weights. Sums of squared kernel values have half the digits: landmarks that are sums of others but for
/// normal_tolerance() are left out. Throws std::invalid_argument if shapes disagree.
GRAMIAN_API SummedFit fit_sums(const Kernel& kernel, const Points& landmarks, const Kernel& output_kernel, const Points& outputs,
                               const NormalSystem& system, double weight, const Options& options);

/// cross_validation_losses() of embeddings in the span of landmarks, whose loss is that of outputs projected on the span of the
/// same landmarks' outputs; the rest of an output has the same length whatever is chosen. With all samples for landmarks they
/// are the same numbers. A pass over the rows and an eigendecomposition of O(m^3) for each split. weights: n x 1 or empty. out:
/// splits x lambdas.
GRAMIAN_API void cross_validation_losses(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs,
                                         const Points& Y, MatrixView<const double> weights,
                                         const std::vector<ValidationSplit>& splits, const Grid& grid, MatrixView<double> out);

/// leave_one_out_losses() of the same embeddings and the same loss, for samples that are left out one at a time while the
/// landmarks stay. Two passes over the rows, an eigendecomposition of O(m^3), and O(n m^2) for each lambda. out: 1 x lambdas.
GRAMIAN_API void leave_one_out_losses(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs,
                                      const Points& Y, MatrixView<const double> weights, const Grid& grid,
                                      MatrixView<double> out);

}  // namespace gramian::conditional_mean
