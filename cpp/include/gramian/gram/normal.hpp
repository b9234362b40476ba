// SPDX-License-Identifier: BSD-3-Clause
// Products with Kᵀ K for a Gram matrix K between many points and a few centres, and Kᵀ K itself.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/gram/row_source.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// out = Kᵀ W (K V - Y) for K = K(X, C), n x m, each value of K evaluated once. V: m x r; W = diag(weights), n x 1, or empty for
/// 1; Y: n x r, or empty for 0; out: m x r, which may not overlap V or Y. O(n m (d + 2 r)) time; memory for some rows of K a
/// thread, and for some copies of out.
///
/// X and C are of one type. Kernel values of float32 points, and their products within a tile, are float32; sums between tiles
/// are float64. Any number of threads gives the same bits. Throws std::invalid_argument if shapes or types disagree, a weight is
/// negative, or a number is not finite.
GRAMIAN_API void normal_product(const Kernel& kernel, const Points& X, const Points& C, MatrixView<const double> V,
                                MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out);
/// The same bits for rows that are read a block at a time; C decides the type that is computed in. Dense points only.
GRAMIAN_API void normal_product(const Kernel& kernel, const RowSource& X, const Points& C, MatrixView<const double> V,
                                MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out);

/// square = Kᵀ W K, m x m, exactly symmetric, and right = Kᵀ W Y, m x r, in one pass over the rows of X: the numbers of a
/// NormalSum that has seen these rows. Y may be empty: then right is empty too. O(n m (m + d + r)) time; memory for some rows of
/// K, and for one or, beyond 98 304 rows, some copies of square. Throws as normal_product() does.
GRAMIAN_API void normal_system(const Kernel& kernel, const Points& X, const Points& C, MatrixView<const double> weights,
                               MatrixView<const double> Y, MatrixView<double> square, MatrixView<double> right);
/// The same bits for rows that are read a block at a time; C decides the type that is computed in. Dense points only.
GRAMIAN_API void normal_system(const Kernel& kernel, const RowSource& X, const Points& C, MatrixView<const double> weights,
                               MatrixView<const double> Y, MatrixView<double> square, MatrixView<double> right);

}  // namespace gramian
