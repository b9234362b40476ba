// SPDX-License-Identifier: BSD-3-Clause
// A check of a matrix for NaN and infinity.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Whether A has neither NaN nor infinity. One pass over A, any strides.
GRAMIAN_API bool all_finite(MatrixView<const double> A);

}  // namespace gramian
