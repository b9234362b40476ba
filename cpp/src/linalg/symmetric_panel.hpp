// SPDX-License-Identifier: BSD-3-Clause
// A symmetric matrix times as many vectors as a reduction to band form takes at once: less to prepare than SymmetricProduct.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Of symmetric_times_panel.
constexpr Index panel_vectors = 8;

/// out = A V. A: n x n, rows contiguous, the lower triangle is read; V, out: n x 8, numbers of a row side by side and rows
/// without gaps. Any number of threads gives the same bits.
GRAMIAN_API void symmetric_times_panel(MatrixView<const double> A, const double* V, double* out);

}  // namespace gramian
