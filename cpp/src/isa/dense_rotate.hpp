// SPDX-License-Identifier: BSD-3-Clause
// Plane rotations of neighbouring vectors, one after the other: what is between two of them stays in registers.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

template <class T, int parts>
GRAMIAN_INLINE void rotate_part(const RotationJob<T>& job, Index row) {
  constexpr int lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  T* at = job.vectors + row;
  V kept[parts];
  GRAMIAN_UNROLL
  for (int p = 0; p < parts; ++p) kept[p] = load<T>(at + p * lanes);
  GRAMIAN_NO_UNROLL
  for (Index k = 0; k < job.count; ++k) {
    const V c = broadcast<T>(job.cosines[k]), s = broadcast<T>(job.sines[k]);
    T* next = at + job.stride;
    GRAMIAN_UNROLL
    for (int p = 0; p < parts; ++p) {
      const V other = load<T>(next + p * lanes);
      store<T>(at + p * lanes, c * kept[p] + s * other);
      kept[p] = c * other - s * kept[p];
    }
    at = next;
  }
  GRAMIAN_UNROLL
  for (int p = 0; p < parts; ++p) store<T>(at + p * lanes, kept[p]);
}

template <class T>
void rotate(const RotationJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes, parts = 4;
  Index row = 0;
  for (; row + parts * lanes <= job.rows; row += parts * lanes) rotate_part<T, parts>(job, row);
  for (; row < job.rows; row += lanes) rotate_part<T, 1>(job, row);
}

}  // namespace
}  // namespace gramian::isa
