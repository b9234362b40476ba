// SPDX-License-Identifier: BSD-3-Clause
// The product of a stored symmetric matrix with a block of vectors, at half the memory traffic of a general product.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// out = A V for a symmetric A: n x n, of which one triangle is read, V: n x r, out: n x r. O(n^2 r) time; the same bits for any
/// number of threads. out may not overlap A or V. Throws std::invalid_argument if shapes disagree.
GRAMIAN_API void symmetric_product(MatrixView<const double> A, MatrixView<const double> V, MatrixView<double> out);

}  // namespace gramian
