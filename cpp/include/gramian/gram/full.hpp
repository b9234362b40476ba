// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix, stored.
#pragma once

#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// K(i, j) = k(x_i, x_j): n x n, each pair evaluated once, exactly symmetric. O(n^2 d) time, O(n d) extra memory.
/// K has the scalar type of the points. Throws std::invalid_argument if shapes or types disagree or a coordinate is not finite.
GRAMIAN_API void full(const Kernel& kernel, const Points& X, MatrixView<double> K);
GRAMIAN_API void full(const Kernel& kernel, const Points& X, MatrixView<float> K);

/// K(i, j) = k(x_i, y_j): n x m, as above. Row i depends on x_i and Y only: one row gives the same bits as a batch.
GRAMIAN_API void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<double> K);
GRAMIAN_API void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<float> K);

/// K on points that are given by their inner products only: one set, or two.
/// Throws std::invalid_argument for a kernel that needs coordinates.
GRAMIAN_API void full(const Kernel& kernel, const InnerProducts<double>& XY, MatrixView<double> K);
GRAMIAN_API void full(const Kernel& kernel, const InnerProducts<float>& XY, MatrixView<float> K);

/// out(i, 0) = k(x_i, x_i): n x 1. O(n d) time.
GRAMIAN_API void diagonal(const Kernel& kernel, const Points& X, MatrixView<double> out);
GRAMIAN_API void diagonal(const Kernel& kernel, const Points& X, MatrixView<float> out);

/// The same for one set of points that are given by their inner products only.
GRAMIAN_API void diagonal(const Kernel& kernel, const InnerProducts<double>& XX, MatrixView<double> out);
GRAMIAN_API void diagonal(const Kernel& kernel, const InnerProducts<float>& XX, MatrixView<float> out);

}  // namespace gramian
