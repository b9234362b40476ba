// SPDX-License-Identifier: BSD-3-Clause
// How many rows of weights are computed at a time.
#pragma once

#include <algorithm>

#include "gramian/base/index.hpp"

namespace gramian::conditional_mean {

/// Rows of n weights each: some hundred MiB at most.
inline Index rows_of_weights(Index n) {
  constexpr Index most_rows = 1024, most_numbers = Index(1) << 26;
  return std::clamp<Index>(most_numbers / std::max<Index>(n, 1), 1, most_rows);
}

}  // namespace gramian::conditional_mean
