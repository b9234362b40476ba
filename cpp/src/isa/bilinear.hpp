// SPDX-License-Identifier: BSD-3-Clause
// A tile between the points of its rows and those of its columns, coordinate by coordinate.
#pragma once

#include "isa/multiply.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// As many columns of the tile as there are registers for their sums.
template <class T, int vectors>
constexpr int columns_together() {
#if defined(GRAMIAN_AVX512)
  return vectors == 1 ? 24 : vectors == 2 ? 12 : 8;
#else
  return Block<T>::rows;
#endif
}

/// Columns j .. j + count of the tile: their products with the points of the rows, and with that what their own points make of
/// it.
template <class T, int vectors, int count>
GRAMIAN_INLINE void bilinear_columns(const BilinearJob<T>& job, Index first, Index j, typename Vec<T>::type (&total)[vectors]) {
  typename Vec<T>::type sums[count][vectors];
  clear_block(sums);
  multiply_add<T>(job.rows, job.tile + j, tile_size, job.row_points + first, job.stride, sums);
  GRAMIAN_UNROLL
  for (int c = 0; c < count; ++c) {
    const T* point = job.col_points + (j + c) * job.stride + first;
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) total[v] += sums[c][v] * load<T>(point + v * Vec<T>::lanes);
  }
}

template <class T, int vectors>
GRAMIAN_INLINE void bilinear_strip(const BilinearJob<T>& job, Index first) {
  constexpr int together = columns_together<T, vectors>();
  typename Vec<T>::type total[vectors];
  GRAMIAN_UNROLL
  for (int v = 0; v < vectors; ++v) total[v] = typename Vec<T>::type{};
  Index j = 0;
  GRAMIAN_NO_UNROLL
  for (; j + together <= job.cols; j += together) bilinear_columns<T, vectors, together>(job, first, j, total);
  GRAMIAN_NO_UNROLL
  for (; j < job.cols; ++j) bilinear_columns<T, vectors, 1>(job, first, j, total);
  GRAMIAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    T* out = job.sums + first + v * Vec<T>::lanes;
    store<T>(out, load<T>(out) + total[v]);
  }
}

template <class T>
void bilinear(const BilinearJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes, most = Block<T>::vectors;
  Index first = 0;
  for (; first + most * lanes <= job.stride; first += most * lanes) bilinear_strip<T, most>(job, first);
  if constexpr (most > 2) {
    for (; first + 2 * lanes <= job.stride; first += 2 * lanes) bilinear_strip<T, 2>(job, first);
  }
  for (; first < job.stride; first += lanes) bilinear_strip<T, 1>(job, first);
}

}  // namespace
}  // namespace gramian::isa
