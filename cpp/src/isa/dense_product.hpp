// SPDX-License-Identifier: BSD-3-Clause
// Products of panels.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/multiply.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

static_assert(panel_rows % Block<double>::rows == 0 && panel_rows % Block<double>::cols == 0, "panels hold whole blocks");

template <class T, int vectors>
using Strip = typename Vec<T>::type[Block<T>::rows][vectors];

/// sums = out - left right, the block of registers that a substitution goes on with.
template <class T, int vectors>
GRAMIAN_INLINE void subtract_block(Index steps, const T* left, const T* right, const T* out, Index out_stride,
                                   Strip<T, vectors>& sums) {
  clear_block(sums);
  multiply_add<T>(steps, left, panel_rows, right, panel_rows, sums);
  subtract_block_from<T>(out, out_stride, sums);
}

/// Where row j of the left factor begins.
template <class T>
GRAMIAN_INLINE T* left_row(T* left, Index stride, Index j) {
  return left + j / panel_rows * stride + j % panel_rows;
}

template <class T, bool subtract>
struct ProductStrip {
  template <int vectors>
  static GRAMIAN_INLINE void run(const ProductJob<T>& job, Index lane) {
    GRAMIAN_NO_UNROLL
    for (Index j = 0; j < job.rows; j += Block<T>::rows) {
      const T* left = left_row(job.left, job.left_stride, j);
      T* out = job.out + j * job.out_stride + lane;
      Strip<T, vectors> sums;
      if (subtract) {
        subtract_block<T, vectors>(job.steps, left, job.right + lane, out, job.out_stride, sums);
      } else {
        load_block<T>(out, job.out_stride, sums);
        multiply_add<T>(job.steps, left, panel_rows, job.right + lane, panel_rows, sums);
      }
      store_block<T>(out, job.out_stride, sums);
    }
  }
};

/// Calls Body::run<vectors>(job, lane) until all lanes in use are dealt with, most vectors at a time.
template <class T, class Body, class Job>
GRAMIAN_INLINE void for_strips(const Job& job) {
  constexpr int lanes = Vec<T>::lanes, most = Block<T>::vectors;
  Index lane = 0;
  for (; lane + (most - 1) * lanes < job.width; lane += most * lanes) Body::template run<most>(job, lane);
  if constexpr (most > 2) {
    if (lane + lanes < job.width) {
      Body::template run<2>(job, lane);
      lane += 2 * lanes;
    }
  }
  if (lane < job.width) Body::template run<1>(job, lane);
}

template <class T, bool subtract>
void panel_product(const ProductJob<T>& job) {
  for_strips<T, ProductStrip<T, subtract>>(job);
}

}  // namespace
}  // namespace gramian::isa
