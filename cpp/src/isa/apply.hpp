// SPDX-License-Identifier: BSD-3-Clause
// A tile of kernel values times a block of vectors, for its rows and for its columns.
#pragma once

#include "isa/table.hpp"
#include "isa/multiply.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// Vectors taken at a time: as many as the registers hold beside the tile's own.
#if defined(GRAMIAN_AVX512)
constexpr int most_vectors = 10;
#else
constexpr int most_vectors = 5;
#endif

/// sums[c][j] += sum_i tile[i][j] V[i][c] for `count` vectors and `width` vectors of columns. The sum over the tile is one chain
/// of additions, and is added as a whole: apply_few() forms several of them side by side.
template <class T, int count, int width>
GRAMIAN_INLINE void column_strip(const ApplyJob<T>& job, Index first, Index column) {
  T* const out = job.sums + first * job.stride + column;
  typename Vec<T>::type sums[count][width];
  clear_block(sums);
  multiply_add<T>(job.rows, job.V + first, job.vectors, job.tile + column, tile_size, sums);
  add_block_to<T>(out, job.stride, sums);
}

template <class T, int count>
void columns_of(const ApplyJob<T>& job, Index first) {
  constexpr int width = count <= 2 ? 6 : count <= 4 ? 4 : count <= 7 ? 3 : 2;
  constexpr Index lanes = Vec<T>::lanes;
  Index column = 0;
  for (; column + width * lanes <= job.cols; column += width * lanes) column_strip<T, count, width>(job, first, column);
  for (; column < job.cols; column += lanes) column_strip<T, count, 1>(job, first, column);
}

/// out[c] = sum_j tile[r][j] V[c][j] lane by lane, for `together` rows r: lane_sum[c][r].
template <class T, int count, int together>
GRAMIAN_INLINE void row_strip(const T* tile, const T* V, Index stride, Index cols,
                              typename Vec<T>::type (*lane_sum)[Vec<T>::lanes]) {
  using Vector = typename Vec<T>::type;
  Vector sums[together][count];
  clear_block(sums);
  GRAMIAN_NO_UNROLL
  for (Index j = 0; j < cols; j += Vec<T>::lanes) {
    Vector k[together];
    GRAMIAN_UNROLL
    for (int r = 0; r < together; ++r) k[r] = load<T>(tile + r * tile_size + j);
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) {
      const Vector v = load<T>(V + c * stride + j);
      GRAMIAN_UNROLL
      for (int r = 0; r < together; ++r) sums[r][c] += k[r] * v;
    }
  }
  GRAMIAN_UNROLL
  for (int r = 0; r < together; ++r) {
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) lane_sum[c][r] = sums[r][c];
  }
}

/// Sums over columns are kept lane by lane; the lanes of W rows are added in one transposition.
template <class T, int count>
void rows_of(const ApplyJob<T>& job, Index first) {
  constexpr int lanes = Vec<T>::lanes;
  constexpr int wanted = count <= 2 ? 8 : count <= 5 ? 4 : 2;
  constexpr int together = wanted < lanes ? wanted : lanes;
  const T* V = job.V + first * job.stride;
  for (Index row = 0; row < job.rows; row += lanes) {
    typename Vec<T>::type lane_sum[count][lanes];
    GRAMIAN_NO_UNROLL
    for (int group = 0; group < lanes; group += together) {
      typename Vec<T>::type(*out)[lanes] = reinterpret_cast<typename Vec<T>::type(*)[lanes]>(&lane_sum[0][group]);
      row_strip<T, count, together>(job.tile + (row + group) * tile_size, V, job.stride, job.cols, out);
    }
    for (int c = 0; c < count; ++c) {
      T* out = job.sums + (first + c) * job.stride + row;
      store<T>(out, load<T>(out) + lane_sums<T>(lane_sum[c]));
    }
  }
}

template <class T>
struct ColumnStrips {
  template <int count>
  static void run(const ApplyJob<T>& job, Index first) {
    columns_of<T, count>(job, first);
  }
};
template <class T>
struct RowStrips {
  template <int count>
  static void run(const ApplyJob<T>& job, Index first) {
    rows_of<T, count>(job, first);
  }
};

/// The number of vectors becomes a constant of the loop.
template <class T, class Strips, int count = most_vectors>
GRAMIAN_INLINE void run_strips(const ApplyJob<T>& job, Index first, Index vectors) {
  if constexpr (count > 1) {
    if (vectors < count) return run_strips<T, Strips, count - 1>(job, first, vectors);
  }
  Strips::template run<count>(job, first);
}

template <class T, class Strips>
void apply(const ApplyJob<T>& job) {
  for (Index first = 0; first < job.vectors;) {
    const Index left = job.vectors - first;
    // Two halves of 6 beat 10 and 2.
    const Index take = left <= most_vectors ? left : left < 2 * most_vectors ? (left + 1) / 2 : most_vectors;
    run_strips<T, Strips>(job, first, take);
    first += take;
  }
}

}  // namespace
}  // namespace gramian::isa
