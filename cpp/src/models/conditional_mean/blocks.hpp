// SPDX-License-Identifier: BSD-3-Clause
// How many rows of weights are computed at a time.
#pragma once

#include <algorithm>

#include "gramian/base/index.hpp"

namespace gramian::conditional_mean {

/// Rows of n weights each: 64 MiB, or a few rows if these are more, as kernel values are evaluated anew for each block of rows.
inline Index rows_of_weights(Index n) {
  constexpr Index fewest_rows = 16, most_rows = 1024, most_numbers = Index(1) << 23;
  return std::clamp<Index>(most_numbers / std::max<Index>(n, 1), fewest_rows, most_rows);
}

}  // namespace gramian::conditional_mean
