// SPDX-License-Identifier: BSD-3-Clause
// What a tile adds to sums that are kept in float64.
#pragma once

#include <algorithm>
#include <type_traits>

#include "isa/table.hpp"

namespace gramian {

/// Adds what `apply` leaves for one tile to sums.
template <class T>
void accumulate(void (*apply)(const isa::ApplyJob<T>&), isa::ApplyJob<T> job, T* tile_sums, double* sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.sums = sums;
    apply(job);
  } else {
    const Index count = job.vectors * job.stride;
    std::fill_n(tile_sums, count, T(0));
    job.sums = tile_sums;
    apply(job);
    for (Index i = 0; i < count; ++i) sums[i] += static_cast<double>(tile_sums[i]);
  }
}

}  // namespace gramian
