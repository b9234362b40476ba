// SPDX-License-Identifier: BSD-3-Clause
// A learned sum over all samples, made small: few samples by herding, or random features, as [MCE] Sec. 4.1 advises.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/feature_map.hpp"

namespace gramian::embedding {

/// f(x) = sum_i V_iᵀ k(x_i, x): m functions, V: n x m, of a ridge regression (K + N lambda D^-1) V = T, D = diag(w) the weights
/// of the samples and N their sum. A view of all that it is made of. Points of float64.
struct SampleSum {
  Kernel kernel;
  Points X;
  MatrixView<const double> V;
  double lambda;
  const double* weights = nullptr;  ///< X.size() numbers above 0; null: 1 each
};

/// `count` different rows of X whose embeddings stand for those of all: herding, [CWS], in each group (a class, 0 .. groups - 1)
/// towards the group's mean embedding. Groups get shares of `count` by the sums of their weights (X.size() numbers above 0; null:
/// 1 each), and at least one row each if there are enough. Ascending. O(count n d + n^2 d / groups), without the Gram matrix.
GRAMIAN_API std::vector<Index> herd_supports(const Kernel& kernel, const Points& X, const std::vector<Index>& groups, Index count,
                                             const double* weights = nullptr);

/// W, s x m, of g(x) = sum_j W_jᵀ k(x_rows[j], x) that minimises
///
///   sum_i w_i |f(x_i) - g(x_i)|^2 + N lambda |f - g|^2,
///
/// as ridge regression of T on these supports does: W = (K_SX D K_XS + N lambda K_SS)^-1 K_SX D T with
/// D T = D K V + N lambda V. So T need not be known, and with all rows W = V. O(n^2 (d + m) + n s^2). Rows must differ.
GRAMIAN_API Matrix compress_to_supports(const SampleSum& f, const std::vector<Index>& rows);

/// W, p x m, of g(x) = Wᵀ phi(x; theta): ridge regression of the same T on features, W = (ZᵀD Z + N lambda I)^-1 ZᵀD T. X must
/// be dense. O(n^2 (d + m) + n p^2).
GRAMIAN_API Matrix compress_to_features(const SampleSum& f, FeatureMap& features, const double* theta);

}  // namespace gramian::embedding
