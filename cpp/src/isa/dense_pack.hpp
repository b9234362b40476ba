// SPDX-License-Identifier: BSD-3-Clause
// Matrices of any strides to panels and back.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/multiply.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// For matrices whose rows are contiguous: a square of vectors at a time, transposed in registers, the last ones overlapping.
/// Packing, the panel's lanes up to a whole vector become zero.
template <class T, bool packing>
GRAMIAN_INLINE Index copy_squares(const PackJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  if (job.columns < lanes) return 0;
  for (Index r = 0; r < job.rows; r += lanes) {
    const Index rows = job.rows - r < lanes ? job.rows - r : lanes;
    for (Index next = 0; next < job.columns; next += lanes) {
      const Index k = next + lanes <= job.columns ? next : job.columns - lanes;
      T* matrix = job.matrix + r * job.row_stride + k;
      T* panel = job.panel + k * panel_rows + r;
      typename Vec<T>::type square[lanes];
      GRAMIAN_UNROLL
      for (int i = 0; i < lanes; ++i) {
        if (packing) {
          square[i] = i < rows ? load<T>(matrix + i * job.row_stride) : typename Vec<T>::type{};
        } else {
          square[i] = load<T>(panel + i * panel_rows);
        }
      }
      transpose<T>(square);
      GRAMIAN_UNROLL
      for (int i = 0; i < lanes; ++i) {
        if (packing) {
          store<T>(panel + i * panel_rows, square[i]);
        } else if (i < rows) {
          store<T>(matrix + i * job.row_stride, square[i]);
        }
      }
    }
  }
  return job.rows;
}

/// For matrices whose columns are contiguous.
template <class T, bool packing>
GRAMIAN_INLINE Index copy_vectors(const PackJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  const Index rows = job.rows / lanes * lanes;
  for (Index k = 0; k < job.columns; ++k) {
    T* matrix = job.matrix + k * job.col_stride;
    T* panel = job.panel + k * panel_rows;
    for (Index r = 0; r < rows; r += lanes) {
      if (packing) {
        store<T>(panel + r, load<T>(matrix + r));
      } else {
        store<T>(matrix + r, load<T>(panel + r));
      }
    }
  }
  return rows;
}

template <class T>
GRAMIAN_INLINE typename Vec<T>::type reverse(typename Vec<T>::type x) {
  constexpr int lanes = Vec<T>::lanes;
#if defined(GRAMIAN_SCALAR_VECTORS)
  return x;
#elif defined(__clang__)
  typename Vec<T>::type out;
  GRAMIAN_UNROLL
  for (int i = 0; i < lanes; ++i) out[i] = x[lanes - 1 - i];
  return out;
#else
  typename Vec<T>::bits index{};
  GRAMIAN_UNROLL
  for (int i = 0; i < lanes; ++i) index[i] = lanes - 1 - i;
  return __builtin_shuffle(x, index);
#endif
}

/// For matrices in reversed order, a transposed triangle solved as a lower one: columns are contiguous, from the last row on.
template <class T>
GRAMIAN_INLINE Index pack_reversed(const PackJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  const Index rows = job.rows / lanes * lanes;
  for (Index k = 0; k < job.columns; ++k) {
    const T* matrix = job.matrix + k * job.col_stride - (lanes - 1);
    T* panel = job.panel + k * panel_rows;
    for (Index r = 0; r < rows; r += lanes) store<T>(panel + r, reverse<T>(load<T>(matrix - r)));
  }
  return rows;
}

/// The copies above return how many rows they have dealt with; the others are copied number by number.
template <class T, bool packing>
GRAMIAN_INLINE void copy_panel(const PackJob<T>& job) {
  const Index done = job.col_stride == 1               ? copy_squares<T, packing>(job)
                     : job.row_stride == 1             ? copy_vectors<T, packing>(job)
                     : packing && job.row_stride == -1 ? pack_reversed<T>(job)
                                                       : 0;
  for (Index k = 0; k < job.columns; ++k) {
    for (Index r = done; r < job.rows; ++r) {
      T& matrix = job.matrix[r * job.row_stride + k * job.col_stride];
      T& panel = job.panel[k * panel_rows + r];
      if (packing) {
        panel = matrix;
      } else {
        matrix = panel;
      }
    }
  }
}

template <class T>
void pack_panel(const PackJob<T>& job) {
  constexpr Index block = Block<T>::rows;
  static_assert(Vec<T>::lanes <= block, "a whole vector is no longer than a register block is high");
  const Index end = (job.rows + block - 1) / block * block;
  for (Index k = 0; k < job.columns && job.rows < end; ++k) {
    for (Index r = job.rows; r < end; ++r) job.panel[k * panel_rows + r] = T(0);
  }
  copy_panel<T, true>(job);
}

template <class T>
void unpack_panel(const PackJob<T>& job) {
  copy_panel<T, false>(job);
}

}  // namespace
}  // namespace gramian::isa
