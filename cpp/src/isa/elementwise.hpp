// SPDX-License-Identifier: BSD-3-Clause
// Entry by entry on tiles: what sums and products of kernels are made of.
#pragma once

#include "isa/table.hpp"
#include "isa/pair.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

template <class T>
void multiply_entries(Index rows, Index cols, T* a, const T* b) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = r * tile_size; c < r * tile_size + cols; c += Vec<T>::lanes) store<T>(a + c, load<T>(a + c) * load<T>(b + c));
  }
}

template <class T>
void add_entries(Index rows, Index cols, T* a, const T* b) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = r * tile_size; c < r * tile_size + cols; c += Vec<T>::lanes) store<T>(a + c, load<T>(a + c) + load<T>(b + c));
  }
}

template <class T>
void scale_entries(Index rows, Index cols, T* a, T factor) {
  const typename Vec<T>::type f = broadcast<T>(factor);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = r * tile_size; c < r * tile_size + cols; c += Vec<T>::lanes) store<T>(a + c, load<T>(a + c) * f);
  }
}

/// Row by row: in float32 a tile's 36 864 terms would be too many for one sum.
template <class T>
double dot_entries(Index rows, Index cols, const T* a, const T* b) {
  double total = 0.0;
  for (Index r = 0; r < rows; ++r) {
    typename Vec<T>::type sum{};
    for (Index c = r * tile_size; c < r * tile_size + cols; c += Vec<T>::lanes) sum += load<T>(a + c) * load<T>(b + c);
    total += static_cast<double>(sum_of_lanes<T>(sum));
  }
  return total;
}

template <class T>
bool all_finite(Index rows, Index cols, const T* a) {
  typename Vec<T>::type sum{};
  // x - x is 0 for a finite x and NaN for every other.
  for (Index r = 0; r < rows; ++r) {
    for (Index c = r * tile_size; c < r * tile_size + cols; c += Vec<T>::lanes) sum += load<T>(a + c) - load<T>(a + c);
  }
  return sum_of_lanes<T>(sum) == T(0);
}

}  // namespace
}  // namespace gramian::isa
