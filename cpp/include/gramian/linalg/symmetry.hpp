// SPDX-License-Identifier: BSD-3-Clause
// A check that a matrix is symmetric.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Throws std::invalid_argument unless A is square, free of NaN off the diagonal, and |A(i, j) - A(j, i)| <= tolerance max |A(i,
/// i)| throughout; the message calls it `name` and has an offending entry. One pass over A.
GRAMIAN_API void require_symmetric(MatrixView<const double> A, double tolerance, const char* name);

}  // namespace gramian
