// SPDX-License-Identifier: BSD-3-Clause
// A symmetric matrix and a few vectors: each entry that is read serves its row and its column.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
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

}  // namespace
}  // namespace gramian::isa
