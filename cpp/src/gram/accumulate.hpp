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

/// The same for the rows of the tile and for its columns. In float32 tile_sums has room for both.
template <class T>
void accumulate_both(const isa::Ops<T>& ops, isa::ApplyBothJob<T> job, T* tile_sums, double* row_sums, double* col_sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.row_sums = row_sums;
    job.col_sums = col_sums;
    ops.apply_to_both(job);
  } else {
    const Index count = job.vectors * job.stride;
    std::fill_n(tile_sums, 2 * count, T(0));
    job.row_sums = tile_sums;
    job.col_sums = tile_sums + count;
    ops.apply_to_both(job);
    for (Index i = 0; i < count; ++i) row_sums[i] += static_cast<double>(tile_sums[i]);
    for (Index i = 0; i < count; ++i) col_sums[i] += static_cast<double>(tile_sums[count + i]);
  }
}

/// What a tile that stands for itself and for its mirror image adds: on the diagonal, where the two are one, for its columns
/// alone.
template <class T>
void accumulate_pair(const isa::Ops<T>& ops, const isa::ApplyBothJob<T>& job, bool diagonal, T* tile_sums, double* row_sums,
                     double* col_sums) {
  if (!diagonal) return accumulate_both(ops, job, tile_sums, row_sums, col_sums);
  accumulate(ops.apply_to_columns, {job.tile, job.rows, job.cols, job.vectors, job.stride, job.row_V, nullptr}, tile_sums,
             col_sums);
}

}  // namespace gramian
