// SPDX-License-Identifier: BSD-3-Clause
// A matrix times one vector: the matrix is read once, and that is all the time it takes.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// As many rows at a time as a vector has lanes: their sums over lanes are one transposition.
template <class T>
void subtract_rows(const VectorJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  const Index columns = job.columns / lanes * lanes;
  for (Index row = 0; row < job.rows; row += lanes) {
    const Index count = job.rows - row < lanes ? job.rows - row : lanes;
    const T* from[lanes];
    typename Vec<T>::type sums[lanes];
    for (int i = 0; i < lanes; ++i) {
      from[i] = job.matrix + (row + (i < count ? i : 0)) * job.stride;
      sums[i] = typename Vec<T>::type{};
    }
    for (Index k = 0; k < columns; k += lanes) {
      const typename Vec<T>::type x = load<T>(job.x + k);
      GRAMIAN_UNROLL
      for (int i = 0; i < lanes; ++i) sums[i] += load<T>(from[i] + k) * x;
    }
    T totals[lanes];
    store<T>(totals, lane_sums<T>(sums));
    for (Index i = 0; i < count; ++i) {
      for (Index k = columns; k < job.columns; ++k) totals[i] += from[i][k] * job.x[k];
      job.out[row + i] -= totals[i];
    }
  }
}

/// Eight rows at a time, so that the result is read and written an eighth as often as the matrix is read.
template <class T>
void subtract_columns(const VectorJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes, together = 8;
  for (Index row = 0; row < job.rows; row += together) {
    const Index count = job.rows - row < together ? job.rows - row : together;
    const T* from[together];
    T factors[together];
    for (int i = 0; i < together; ++i) {
      from[i] = job.matrix + (row + (i < count ? i : 0)) * job.stride;
      factors[i] = i < count ? job.x[row + i] : T(0);
    }
    Index k = 0;
    for (; k + lanes <= job.columns; k += lanes) {
      typename Vec<T>::type sum = load<T>(from[0] + k) * broadcast<T>(factors[0]);
      GRAMIAN_UNROLL
      for (int i = 1; i < together; ++i) sum += load<T>(from[i] + k) * broadcast<T>(factors[i]);
      store<T>(job.out + k, load<T>(job.out + k) - sum);
    }
    for (; k < job.columns; ++k) {
      T sum = T(0);
      for (Index i = 0; i < count; ++i) sum += from[i][k] * factors[i];
      job.out[k] -= sum;
    }
  }
}

}  // namespace
}  // namespace gramian::isa
