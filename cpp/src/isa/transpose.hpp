// SPDX-License-Identifier: BSD-3-Clause
// W vectors of W lanes, transposed in registers.
#pragma once

#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// Merges the lanes of a and b that differ in the bit `step` of their position: the butterfly of a transposition.
/// upper == false: lanes of a where the bit is clear, of b (moved up) where it is set; upper == true: the other half.
template <class T, int step, bool upper>
GRAMIAN_INLINE typename Vec<T>::type merge(typename Vec<T>::type a, typename Vec<T>::type b) {
  constexpr int lanes = Vec<T>::lanes;
  typename Vec<T>::bits index{};
  GRAMIAN_UNROLL
  for (int i = 0; i < lanes; ++i) {
    const bool set = (i & step) != 0;
    index[i] = upper ? (set ? lanes + i : i + step) : (set ? lanes + i - step : i);
  }
#if defined(__clang__)
  typename Vec<T>::type out;
  GRAMIAN_UNROLL
  for (int i = 0; i < lanes; ++i) out[i] = index[i] < lanes ? a[index[i]] : b[index[i] - lanes];
  return out;
#else
  return __builtin_shuffle(a, b, index);
#endif
}

template <class T, int step>
GRAMIAN_INLINE void transpose_steps(typename Vec<T>::type* a) {
  constexpr int lanes = Vec<T>::lanes;
  if constexpr (step < lanes) {
    GRAMIAN_UNROLL
    for (int i = 0; i < lanes; ++i) {
      if ((i & step) == 0) {
        const typename Vec<T>::type low = merge<T, step, false>(a[i], a[i + step]);
        a[i + step] = merge<T, step, true>(a[i], a[i + step]);
        a[i] = low;
      }
    }
    transpose_steps<T, step * 2>(a);
  }
}

/// Lane j of a[i] becomes lane i of a[j].
template <class T>
GRAMIAN_INLINE void transpose(typename Vec<T>::type* a) {
#if !defined(GRAMIAN_SCALAR_VECTORS)
  transpose_steps<T, 1>(a);
#else
  (void)a;
#endif
}

/// Lane i of the result is the sum of the lanes of a[i]; a is used up.
template <class T>
GRAMIAN_INLINE typename Vec<T>::type lane_sums(typename Vec<T>::type* a) {
  constexpr int lanes = Vec<T>::lanes;
  transpose<T>(a);
  GRAMIAN_UNROLL
  for (int step = lanes / 2; step >= 1; step /= 2) {
    GRAMIAN_UNROLL
    for (int i = 0; i < step; ++i) a[i] += a[i + step];
  }
  return a[0];
}

}  // namespace
}  // namespace gramian::isa
