// SPDX-License-Identifier: BSD-3-Clause
// The product of a Gram matrix with a block of vectors, without the Gram matrix.
#pragma once

#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// out = K(X, X) V for V: n x r, out: n x r. O(n^2 (d + r)) time; tiles of K live in the cache and are used for rows and columns.
/// V and out have the scalar type of the points; float32 is summed in float64 between tiles. out may not overlap V or X.
/// Throws std::invalid_argument if shapes or types disagree or an entry of X or V is not finite.
GRAMIAN_API void product(const Kernel& kernel, const Points& X, MatrixView<const double> V, MatrixView<double> out);
GRAMIAN_API void product(const Kernel& kernel, const Points& X, MatrixView<const float> V, MatrixView<float> out);

/// out = K(X, Y) V for V: m x r, out: n x r. Row i depends on x_i, Y and V only: one row gives the same bits as a batch.
GRAMIAN_API void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> V,
                         MatrixView<double> out);
GRAMIAN_API void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const float> V,
                         MatrixView<float> out);

/// out = K V on points that are given by their inner products only: one set, or two.
GRAMIAN_API void product(const Kernel& kernel, const InnerProducts<double>& XY, MatrixView<const double> V,
                         MatrixView<double> out);
GRAMIAN_API void product(const Kernel& kernel, const InnerProducts<float>& XY, MatrixView<const float> V, MatrixView<float> out);

}  // namespace gramian
