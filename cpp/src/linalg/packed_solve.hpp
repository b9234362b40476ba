// SPDX-License-Identifier: BSD-3-Clause
// Systems with a factor as it is packed, for those who would unpack it for hardly any right-hand sides.
#pragma once

#include "linalg/packed_lower.hpp"

namespace gramian {

/// B = (L L^T)^-1 B in place for B: n x m, any strides. `room` grows to what the right-hand sides take, and may be kept for the
/// next call. The factor is read twice for every 24 columns; any number of threads gives the same bits.
GRAMIAN_API void solve_packed(PackedLower& L, MatrixView<double> B, Buffer<double>& room);

/// The first half of it, B = L^-1 B, and the second one, B = L^-T B.
GRAMIAN_API void solve_packed_lower(PackedLower& L, MatrixView<double> B, Buffer<double>& room);
GRAMIAN_API void solve_packed_transposed(PackedLower& L, MatrixView<double> B, Buffer<double>& room);

}  // namespace gramian
