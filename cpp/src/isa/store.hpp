// SPDX-License-Identifier: BSD-3-Clause
// A finished tile on its way to the caller's matrix.
#pragma once

#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// Copies past the cache: plain numbers up to the first aligned address, vectors from there.
template <class T>
GRAMIAN_INLINE void copy_past_cache(const T* from, T* to, Index count) {
  constexpr Index lanes = Vec<T>::lanes;
  constexpr std::uintptr_t mask = sizeof(typename Vec<T>::type) - 1;
  Index i = 0;
  for (; i < count && (reinterpret_cast<std::uintptr_t>(to + i) & mask) != 0; ++i) to[i] = from[i];
  for (; i + lanes <= count; i += lanes) store_past_cache(to + i, load<T>(from + i));
  for (; i < count; ++i) to[i] = from[i];
}

template <class T>
GRAMIAN_INLINE void copy_row(const T* from, T* to, Index count, bool streaming) {
  constexpr Index lanes = Vec<T>::lanes;
  if (streaming) return copy_past_cache(from, to, count);
  Index i = 0;
  for (; i + lanes <= count; i += lanes) store<T>(to + i, load<T>(from + i));
  for (; i < count; ++i) to[i] = from[i];
}

template <class T>
void store_tile(const StoreJob<T>& job) {
  for (Index r = 0; r < job.height; ++r)
    copy_row(job.tile + r * tile_size, job.out + r * job.row_stride, job.width, job.streaming);
  if (job.streaming) fence_stores();
}

/// Some columns of the tile as rows of `scratch`, a square of vectors at a time.
template <class T>
GRAMIAN_INLINE void transpose_columns(const T* tile, Index height, T* scratch) {
  constexpr int lanes = Vec<T>::lanes;
  for (Index r = 0; r < height; r += lanes) {
    typename Vec<T>::type square[lanes];
    GRAMIAN_UNROLL
    for (int i = 0; i < lanes; ++i) square[i] = load<T>(tile + (r + i) * tile_size);
    transpose<T>(square);
    GRAMIAN_UNROLL
    for (int i = 0; i < lanes; ++i) store<T>(scratch + i * tile_size + r, square[i]);
  }
}

template <class T>
void store_transposed(const StoreJob<T>& job, T* scratch) {
  constexpr Index lanes = Vec<T>::lanes;
  for (Index c = 0; c < job.width; c += lanes) {
    transpose_columns(job.tile + c, job.height, scratch);
    const Index rows = job.width - c < lanes ? job.width - c : lanes;
    for (Index i = 0; i < rows; ++i)
      copy_row(scratch + i * tile_size, job.out + (c + i) * job.row_stride, job.height, job.streaming);
  }
  if (job.streaming) fence_stores();
}

}  // namespace
}  // namespace gramian::isa
