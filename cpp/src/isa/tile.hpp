// SPDX-License-Identifier: BSD-3-Clause
// A tile of kernel values: a register-blocked inner product over packed panels, then the kernel on what it leaves.
#pragma once

#include "isa/multiply.hpp"
#include "isa/pair.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"
#include "kernels/profile.hpp"

namespace gramian::isa {
namespace {

/// Features taken at a time, so that a panel of columns stays in the first-level cache.
template <class T>
Index features_per_pass(Index dimension) {
  constexpr Index most = 36864 / (Block<T>::cols * static_cast<Index>(sizeof(T)));
  const Index passes = (dimension + most - 1) / most;
  return passes == 0 ? 1 : (dimension + passes - 1) / passes;
}

template <class T>
using Sums = typename Vec<T>::type[Block<T>::rows][Block<T>::vectors];

/// Distances start from -(|x|^2 + |y|^2) / 2, so that adding <x, y> gives -|x - y|^2 / 2; inner products from 0.
template <class T, Form form>
GRAMIAN_INLINE void start_block(const T* row_half, const T* col_half, Sums<T>& sums) {
  GRAMIAN_UNROLL
  for (int r = 0; r < Block<T>::rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < Block<T>::vectors; ++v) {
      if constexpr (form == Form::distance) {
        sums[r][v] = -(broadcast<T>(row_half[r]) + load<T>(col_half + v * Vec<T>::lanes));
      } else {
        sums[r][v] = typename Vec<T>::type{};
      }
    }
  }
}

/// In place of a kernel: the tile keeps s itself, or s times the entry of another tile.
struct Raw {};
struct Weighed {};
template <class Profile>
constexpr bool is_raw = false;
template <>
constexpr bool is_raw<Raw> = true;
template <>
constexpr bool is_raw<Weighed> = true;

template <class T>
GRAMIAN_INLINE void weigh_block(const T* factors, Sums<T>& sums) {
  GRAMIAN_UNROLL
  for (int r = 0; r < Block<T>::rows; ++r) {
    GRAMIAN_UNROLL
    for (int v = 0; v < Block<T>::vectors; ++v) sums[r][v] *= load<T>(factors + r * tile_size + v * Vec<T>::lanes);
  }
}

template <class Profile>
constexpr bool is_weighed = false;
template <>
constexpr bool is_weighed<Weighed> = true;

/// The kernel on a stored block: from memory, and in a function of its own, because sums and the kernel's constants do not fit
/// the registers together.
template <class T, class Profile>
GRAMIAN_NO_INLINE void finish_block(const TileJob<T>& job, Index row, Index col, T* out) {
  if constexpr (!is_raw<Profile>) {
    for (int r = 0; r < Block<T>::rows; ++r) {
      const typename Vec<T>::type row_half = broadcast<T>(job.rows.half[row + r]);
      GRAMIAN_UNROLL
      for (int v = 0; v < Block<T>::vectors; ++v) {
        T* at = out + r * tile_size + v * Vec<T>::lanes;
        const auto pair = pair_of<T, Profile>(load<T>(at), row_half, load<T>(job.cols.half + col + v * Vec<T>::lanes));
        store<T>(at, Profile::value(pair, job.parameters));
      }
    }
  }
}

template <class T, Form form, class Profile>
void multiply_tile(const TileJob<T>& job) {
  constexpr Index rows = Block<T>::rows;
  constexpr Index cols = Block<T>::cols;
  const Index d = job.dimension;
  const Index pass = features_per_pass<T>(d);
  Index from = 0;
  do {
    const Index features = d - from < pass ? d - from : pass;
    const bool last = from + features >= d;
    for (Index q = 0; q < job.col_panels; ++q) {
      for (Index p = 0; p < job.row_panels; ++p) {
        T* out = job.out + p * rows * tile_size + q * cols;
        Sums<T> sums;
        if (from == 0) {
          start_block<T, form>(job.rows.half + p * rows, job.cols.half + q * cols, sums);
        } else {
          load_block<T>(out, tile_size, sums);
        }
        multiply_add<T>(features, job.rows.panels + (p * d + from) * rows, rows, job.cols.panels + (q * d + from) * cols, cols,
                        sums);
        if constexpr (is_weighed<Profile>) {
          if (last) weigh_block<T>(job.factors + p * rows * tile_size + q * cols, sums);
        }
        store_block<T>(out, tile_size, sums);
        if (last) finish_block<T, Profile>(job, p * rows, q * cols, out);
      }
    }
    from += features;
  } while (from < d);
}

}  // namespace
}  // namespace gramian::isa
