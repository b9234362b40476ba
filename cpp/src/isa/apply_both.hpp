// SPDX-License-Identifier: BSD-3-Clause
// A tile times two blocks of few vectors, for its columns and for its rows, in one reading of the tile.
#pragma once

#include "isa/apply.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// Beyond, the sums of the rows no longer fit the registers beside those of the columns.
#if defined(GRAMIAN_AVX512)
constexpr int most_together = 4;
#else
constexpr int most_together = 2;
#endif

template <class T, int count>
constexpr int rows_together() {
#if defined(GRAMIAN_AVX512)
  constexpr int wanted = count <= 2 ? 8 : 4;
#else
  constexpr int wanted = 4;
#endif
  return wanted < Vec<T>::lanes ? wanted : Vec<T>::lanes;
}

/// `together` rows of the tile: their own sums lane by lane into lane_sum[c][r], and what they add to the columns.
template <class T, int count, int together>
GRAMIAN_INLINE void strip_of_both(const ApplyBothJob<T>& job, Index row, typename Vec<T>::type (*lane_sum)[Vec<T>::lanes]) {
  using Vector = typename Vec<T>::type;
  // Copies: for all the compiler knows, what is stored below may be the job itself.
  const T* tile = job.tile + row * tile_size;
  T weights[together * count];
  for (int i = 0; i < together * count; ++i) weights[i] = job.row_V[row * count + i];
  const T* along = job.col_V;
  T* const col_sums = job.col_sums;
  const Index cols = job.cols, stride = job.stride;
  Vector sums[together][count];
  clear_block(sums);
  GRAMIAN_NO_UNROLL
  for (Index j = 0; j < cols; j += Vec<T>::lanes) {
    Vector v[count], down[count];
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) {
      v[c] = load<T>(along + c * stride + j);
      down[c] = load<T>(col_sums + c * stride + j);
    }
    GRAMIAN_UNROLL
    for (int r = 0; r < together; ++r) {
      const Vector k = load<T>(tile + r * tile_size + j);
      GRAMIAN_UNROLL
      for (int c = 0; c < count; ++c) {
        sums[r][c] += k * v[c];
        down[c] += k * broadcast<T>(weights[r * count + c]);
      }
    }
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) store<T>(col_sums + c * stride + j, down[c]);
  }
  GRAMIAN_UNROLL
  for (int r = 0; r < together; ++r) {
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) lane_sum[c][r] = sums[r][c];
  }
}

template <class T, int count>
void both_of(const ApplyBothJob<T>& job) {
  constexpr int lanes = Vec<T>::lanes;
  constexpr int together = rows_together<T, count>();
  for (Index row = 0; row < job.rows; row += lanes) {
    // A tile has whole panels of rows, which may be fewer than lanes: what is behind them was never written.
    typename Vec<T>::type lane_sum[count][lanes] = {};
    const int rows = job.rows - row < lanes ? static_cast<int>(job.rows - row) : lanes;
    GRAMIAN_NO_UNROLL
    for (int group = 0; group < rows; group += together) {
      typename Vec<T>::type(*out)[lanes] = reinterpret_cast<typename Vec<T>::type(*)[lanes]>(&lane_sum[0][group]);
      strip_of_both<T, count, together>(job, row + group, out);
    }
    for (int c = 0; c < count; ++c) {
      T* out = job.row_sums + c * job.stride + row;
      store<T>(out, load<T>(out) + lane_sums<T>(lane_sum[c]));
    }
  }
}

template <class T>
void apply_both(const ApplyBothJob<T>& job) {
  if (job.vectors == 1) return both_of<T, 1>(job);
  if (job.vectors == 2) return both_of<T, 2>(job);
  if constexpr (most_together > 2) {
    if (job.vectors == 3) return both_of<T, 3>(job);
    if (job.vectors == 4) return both_of<T, 4>(job);
  }
  apply<T, ColumnStrips<T>>({job.tile, job.rows, job.cols, job.vectors, job.stride, job.row_V, job.col_sums});
  apply<T, RowStrips<T>>({job.tile, job.rows, job.cols, job.vectors, job.stride, job.col_V, job.row_sums});
}

}  // namespace
}  // namespace gramian::isa
