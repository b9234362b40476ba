// SPDX-License-Identifier: BSD-3-Clause
// Kernel values of points with their partners.
#pragma once

#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// out(i, 0) = k(x_i, y_i): n x 1, for float64 points, dense or sparse, both of one kind. O(n d). Throws std::invalid_argument if
/// shapes or types disagree or a coordinate is not finite.
GRAMIAN_API void paired(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<double> out);

}  // namespace gramian
