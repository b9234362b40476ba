// SPDX-License-Identifier: BSD-3-Clause
// A check that a matrix is symmetric.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// By how much a matrix that somebody computed may differ from its transpose, relative to its diagonal: in float64, and in
/// float32. Far above rounding, far below a mistake.
inline constexpr double symmetry_tolerance = 1e-8;
inline constexpr double symmetry_tolerance_float = 1e-5;

/// Throws std::invalid_argument unless A is square, free of NaN off the diagonal, and |A(i, j) - A(j, i)| <= tolerance max |A(i,
/// i)| throughout; the message calls it `name` and has an offending entry. One pass over A.
GRAMIAN_API void require_symmetric(MatrixView<const double> A, double tolerance, const char* name);

}  // namespace gramian
