// SPDX-License-Identifier: BSD-3-Clause
// A few rows of kernel values times a block of vectors, which lie along the vectors of the processor. Values are summed in the
// order in which apply_to_columns() adds the rows of tiles that have ApplyFewJob::step rows: the same bits.
#pragma once

#include "isa/multiply.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// sums[r][c] += sum_j values[r][j] V[j][c] for `rows` rows and `width` vectors of columns, over `pieces` of `count` values from
/// `begin` on: a chain for each. The last lanes may read into the next row of V: nobody sees what they make of it.
template <class T, int rows, int width, int pieces>
GRAMIAN_INLINE void few_block(const ApplyFewJob<T>& job, Index row, Index first, Index begin, Index count) {
  using V = typename Vec<T>::type;
  const Index step = count, vectors_of_step = step * job.vectors;
  const T *const values = job.values + row * tile_size + begin, *const vectors = job.V + begin * job.vectors + first;
  V sums[pieces][rows][width];
  GRAMIAN_UNROLL
  for (int p = 0; p < pieces; ++p) clear_block(sums[p]);
  for (Index j = 0; j < count; ++j) {
    GRAMIAN_UNROLL
    for (int p = 0; p < pieces; ++p) {
      V right[width];
      GRAMIAN_UNROLL
      for (int v = 0; v < width; ++v) right[v] = load<T>(vectors + p * vectors_of_step + j * job.vectors + v * Vec<T>::lanes);
      GRAMIAN_UNROLL
      for (int r = 0; r < rows; ++r) {
        const V left = broadcast<T>(values[r * tile_size + p * step + j]);
        GRAMIAN_UNROLL
        for (int v = 0; v < width; ++v) sums[p][r][v] += left * right[v];
      }
    }
  }
  GRAMIAN_UNROLL
  for (int p = 0; p < pieces; ++p) add_block_to<T>(job.sums + row * job.sum_stride + first, job.sum_stride, sums[p]);
}

/// As many whole pieces as come in groups of so many, from `begin` on; returns where they end.
template <class T, int rows, int width, int pieces>
GRAMIAN_INLINE Index few_pieces(const ApplyFewJob<T>& job, Index row, Index first, Index begin) {
  for (; begin + pieces * job.step <= job.count; begin += pieces * job.step) {
    few_block<T, rows, width, pieces>(job, row, first, begin, job.step);
  }
  return begin;
}

/// Of a single row several pieces at a time: an addition waits for the one before it in its piece.
template <class T, int rows, int width>
GRAMIAN_INLINE void few_columns(const ApplyFewJob<T>& job, Index row, Index first) {
  Index begin = 0;
  if constexpr (rows == 1 && width == 1) begin = few_pieces<T, rows, width, 6>(job, row, first, begin);
  if constexpr (rows == 1 && width <= 2) begin = few_pieces<T, rows, width, 3>(job, row, first, begin);
  begin = few_pieces<T, rows, width, 1>(job, row, first, begin);
  if (begin < job.count) few_block<T, rows, width, 1>(job, row, first, begin, job.count - begin);
}

/// Sums of as many vectors of columns as there are registers for.
template <class T, int rows>
void few_rows(const ApplyFewJob<T>& job, Index row) {
  constexpr Index lanes = Vec<T>::lanes;
  constexpr int most = rows == 1 ? 4 : rows == 8 ? 1 : 2;
  Index first = 0;
  for (; first + (most - 1) * lanes < job.vectors; first += most * lanes) few_columns<T, rows, most>(job, row, first);
  if constexpr (most > 2) {
    for (; first + lanes < job.vectors; first += 2 * lanes) few_columns<T, rows, 2>(job, row, first);
  }
  for (; first < job.vectors; first += lanes) few_columns<T, rows, 1>(job, row, first);
}

/// Rows beside each other, as one addition waits for the one before it: eight where there are sums of a single vector of columns.
template <class T>
void apply_few(const ApplyFewJob<T>& job) {
  Index row = 0;
  for (; row + 8 <= job.rows && job.vectors <= Vec<T>::lanes; row += 8) few_rows<T, 8>(job, row);
  for (; row + 4 <= job.rows; row += 4) few_rows<T, 4>(job, row);
  const Index left = job.rows - row;
  if (left == 3) few_rows<T, 3>(job, row);
  if (left == 2) few_rows<T, 2>(job, row);
  if (left == 1) few_rows<T, 1>(job, row);
}

}  // namespace
}  // namespace gramian::isa
