// SPDX-License-Identifier: BSD-3-Clause
// A few rows of kernel values times a block of vectors, which lie along the vectors of the processor. Every sum has one chain of
// additions, in the order in which apply_to_columns() adds the rows of tiles: the same bits.
#pragma once

#include "isa/multiply.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// sums[r][c] += sum_j values[r][j] V[j][c] for `rows` rows and `width` vectors of columns. The last lanes may read into the next
/// row of V: nobody sees what they make of it.
template <class T, int rows, int width>
GRAMIAN_INLINE void few_block(const ApplyFewJob<T>& job, Index row, Index first) {
  using V = typename Vec<T>::type;
  T* const out = job.sums + row * job.sum_stride + first;
  const T *const values = job.values + row * tile_size, *const vectors = job.V + first;
  V sums[rows][width];
  load_block<T>(out, job.sum_stride, sums);
  for (Index j = 0; j < job.count; ++j) {
    V right[width];
    GRAMIAN_UNROLL
    for (int v = 0; v < width; ++v) right[v] = load<T>(vectors + j * job.vectors + v * Vec<T>::lanes);
    GRAMIAN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const V left = broadcast<T>(values[r * tile_size + j]);
      GRAMIAN_UNROLL
      for (int v = 0; v < width; ++v) sums[r][v] += left * right[v];
    }
  }
  store_block<T>(out, job.sum_stride, sums);
}

/// Sums of as many vectors of columns as there are registers for.
template <class T, int rows>
void few_rows(const ApplyFewJob<T>& job, Index row) {
  constexpr Index lanes = Vec<T>::lanes;
  constexpr int most = rows == 1 ? 4 : rows == 8 ? 1 : 2;
  Index first = 0;
  for (; first + (most - 1) * lanes < job.vectors; first += most * lanes) few_block<T, rows, most>(job, row, first);
  if constexpr (most > 2) {
    for (; first + lanes < job.vectors; first += 2 * lanes) few_block<T, rows, 2>(job, row, first);
  }
  for (; first < job.vectors; first += lanes) few_block<T, rows, 1>(job, row, first);
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
