// SPDX-License-Identifier: BSD-3-Clause
// The losses of held-out samples as functions of lambda, for a part of the samples that was decomposed once.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/models/conditional_mean.hpp"

namespace gramian::conditional_mean {

/// With eigenvalues D of the system and z = 1 / (D + shift) the losses' sum is own - 2 linearᵀ z + zᵀ H z, and |U|^2 = sum_a
/// norms_a z_a^2: as many numbers a lambda as there are eigenvalues, however many samples are held out.
struct Spectrum {
  double own = 0.0;  ///< sum of l(y, y) over held-out samples
  Matrix D;          ///< a column, as the two below
  Matrix linear;
  Matrix norms;
  Matrix H;  ///< symmetric
};

/// The sizes of the two parts: numbers of samples, or sums of their weights.
struct Shares {
  double training, held_out;
};

/// [MCE] Sec. 2.2: the mean of |l(y, .) - U k(x, .)|^2 over held-out samples, and lambda |U|^2 if it is regularised.
double loss_of(const Spectrum& spectrum, double lambda, const Shares& shares, bool regularised);

/// Throws std::invalid_argument unless there are lambdas, all finite and above 0.
void check_lambdas(const std::vector<double>& lambdas);
/// Throws std::invalid_argument unless both parts of all splits are rows of n samples, and neither is empty.
void check_splits(const std::vector<ValidationSplit>& splits, Index n);

}  // namespace gramian::conditional_mean
