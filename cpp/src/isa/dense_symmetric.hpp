// SPDX-License-Identifier: BSD-3-Clause
// A symmetric matrix and one or a few vectors: each entry that is read serves its row and its column.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// Vectors of the processor that hold one number of each of the vectors of a job, and rows whose sums stay in registers.
template <class T>
struct SymmetricRows {
  static constexpr int parts = symmetric_vectors / Vec<T>::lanes;
  static constexpr int rows = parts == 1 ? 8 : parts == 2 ? 2 : 1;
};

template <class T, int rows>
GRAMIAN_INLINE void symmetric_rows(const SymmetricJob<T>& job, Index row) {
  constexpr int parts = SymmetricRows<T>::parts, lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  const T* from[rows];
  V x[rows][parts], sums[rows][parts];
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    from[r] = job.matrix + (row + r) * job.stride;
    GRAMIAN_UNROLL
    for (int p = 0; p < parts; ++p) {
      x[r][p] = load<T>(job.row_x + (row + r) * symmetric_vectors + p * lanes);
      sums[r][p] = V{};
    }
  }
  GRAMIAN_NO_UNROLL
  for (Index k = 0; k < job.columns; ++k) {
    const T* col_x = job.col_x + k * symmetric_vectors;
    T* col_sums = job.col_sums + k * symmetric_vectors;
    V other[parts], down[parts];
    GRAMIAN_UNROLL
    for (int p = 0; p < parts; ++p) {
      other[p] = load<T>(col_x + p * lanes);
      down[p] = load<T>(col_sums + p * lanes);
    }
    GRAMIAN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const V entry = broadcast<T>(from[r][k]);
      GRAMIAN_UNROLL
      for (int p = 0; p < parts; ++p) {
        sums[r][p] += entry * other[p];
        down[p] += entry * x[r][p];
      }
    }
    GRAMIAN_UNROLL
    for (int p = 0; p < parts; ++p) store<T>(col_sums + p * lanes, down[p]);
  }
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int p = 0; p < parts; ++p) {
      T* out = job.row_sums + (row + r) * symmetric_vectors + p * lanes;
      store<T>(out, load<T>(out) + sums[r][p]);
    }
  }
}

template <class T>
void symmetric_block(const SymmetricJob<T>& job) {
  constexpr int together = SymmetricRows<T>::rows;
  Index row = 0;
  for (; row + together <= job.rows; row += together) symmetric_rows<T, together>(job, row);
  for (; row < job.rows; ++row) symmetric_rows<T, 1>(job, row);
}

/// Some rows of a strip; what is on the diagonal is there twice, so that its rows are enough.
template <class T, int rows>
GRAMIAN_INLINE void symmetric_vector_rows(const SymmetricVectorJob<T>& job, Index strip, Index row) {
  constexpr int lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  const T* from[rows];
  V x[rows], sums[rows];
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    from[r] = job.matrix + (row + r) * job.stride;
    x[r] = broadcast<T>(job.x[row + r]);
    sums[r] = V{};
  }
  GRAMIAN_NO_UNROLL
  for (Index k = 0; k < strip; k += lanes) {
    const V other = load<T>(job.x + k);
    V down = load<T>(job.sums + k);
    GRAMIAN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const V entries = load<T>(from[r] + k);
      sums[r] += entries * other;
      down += entries * x[r];
    }
    store<T>(job.sums + k, down);
  }
  GRAMIAN_UNROLL
  for (Index k = strip; k < strip + symmetric_strip; k += lanes) {
    const V other = load<T>(job.x + k);
    GRAMIAN_UNROLL
    for (int r = 0; r < rows; ++r) sums[r] += load<T>(from[r] + k) * other;
  }
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; r += lanes) {
    V part[lanes];
    GRAMIAN_UNROLL
    for (int i = 0; i < lanes; ++i) part[i] = sums[r + i];
    store<T>(job.sums + row + r, load<T>(job.sums + row + r) + lane_sums<T>(part));
  }
}

template <class T>
void symmetric_vector(const SymmetricVectorJob<T>& job) {
  constexpr int together = Vec<T>::lanes < 8 ? 4 : 8;
  static_assert(Vec<T>::lanes <= symmetric_strip && symmetric_strip % together == 0, "a strip is some whole groups of rows");
  for (Index strip = job.first; strip < job.first + job.rows; strip += symmetric_strip) {
    for (Index row = strip; row < strip + symmetric_strip; row += together) symmetric_vector_rows<T, together>(job, strip, row);
  }
}

}  // namespace
}  // namespace gramian::isa
