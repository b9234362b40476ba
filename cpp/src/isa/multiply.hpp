// SPDX-License-Identifier: BSD-3-Clause
// The micro-kernel of everything that multiplies: a block of sums in registers.
#pragma once

#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

template <class T>
struct Block {
  static constexpr int rows = GRAMIAN_BLOCK_ROWS;
  static constexpr int vectors = GRAMIAN_BLOCK_VECTORS;
  static constexpr int cols = vectors * Vec<T>::lanes;
};

/// A block of sums is rows of vectors, which its loops, all of them unrolled, keep in registers.
template <class V, int rows, int vectors>
GRAMIAN_INLINE void clear_block(V (&sums)[rows][vectors]) {
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) sums[r][v] = V{};
  }
}

template <class T, int rows, int vectors>
GRAMIAN_INLINE void load_block(const T* from, Index stride, typename Vec<T>::type (&sums)[rows][vectors]) {
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) sums[r][v] = load<T>(from + r * stride + v * Vec<T>::lanes);
  }
}

template <class T, int rows, int vectors>
GRAMIAN_INLINE void store_block(T* out, Index stride, const typename Vec<T>::type (&sums)[rows][vectors]) {
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) store<T>(out + r * stride + v * Vec<T>::lanes, sums[r][v]);
  }
}

/// Adds sums to what is stored.
template <class T, int rows, int vectors>
GRAMIAN_INLINE void add_block_to(T* out, Index stride, const typename Vec<T>::type (&sums)[rows][vectors]) {
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) {
      T* const at = out + r * stride + v * Vec<T>::lanes;
      store<T>(at, load<T>(at) + sums[r][v]);
    }
  }
}

/// sums = what is stored - sums
template <class T, int rows, int vectors>
GRAMIAN_INLINE void subtract_block_from(const T* from, Index stride, typename Vec<T>::type (&sums)[rows][vectors]) {
  GRAMIAN_UNROLL
  for (int r = 0; r < rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) sums[r][v] = load<T>(from + r * stride + v * Vec<T>::lanes) - sums[r][v];
  }
}

/// sums[r][v] += sum_k a[k * a_stride + r] * b[k * b_stride + v * lanes ...]
template <class T, int rows, int vectors>
GRAMIAN_INLINE void multiply_add(Index steps, const T* a, Index a_stride, const T* b, Index b_stride,
                                 typename Vec<T>::type (&sums)[rows][vectors]) {
  using V = typename Vec<T>::type;
  for (Index k = 0; k < steps; ++k) {
    V right[vectors];
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) right[v] = load<T>(b + k * b_stride + v * Vec<T>::lanes);
    GRAMIAN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const V left = broadcast<T>(a[k * a_stride + r]);
      GRAMIAN_UNROLL
      for (int v = 0; v < vectors; ++v) sums[r][v] += left * right[v];
    }
  }
}

}  // namespace
}  // namespace gramian::isa
