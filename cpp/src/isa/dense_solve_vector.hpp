// SPDX-License-Identifier: BSD-3-Clause
// Substitution with a packed triangular tile for one vector, which would leave all lanes but one of a panel empty.
#pragma once

#include "isa/dense_product.hpp"
#include "isa/transpose.hpp"

namespace gramian::isa {
namespace {

template <class T>
constexpr int vectors_of_block = Block<T>::rows / Vec<T>::lanes;

/// The numbers of one register block.
template <class T>
using Segment = typename Vec<T>::type[vectors_of_block<T>];

/// All lanes of the result are one of x.
template <class T>
GRAMIAN_INLINE typename Vec<T>::type all_lanes(typename Vec<T>::type x, int lane) {
#if defined(GRAMIAN_SCALAR_VECTORS)
  (void)lane;
  return x;
#elif defined(__clang__)
  return broadcast<T>(x[lane]);
#else
  return __builtin_shuffle(x, typename Vec<T>::bits{} + static_cast<typename IntegerOf<T>::type>(lane));
#endif
}

/// Lanes first .. first + lanes - 1 of a block whose number satisfies `keep`, zeros elsewhere.
template <class T, class Keep>
GRAMIAN_INLINE typename Vec<T>::type lanes_where(typename Vec<T>::type x, int first, Keep keep) {
  constexpr int lanes = Vec<T>::lanes;
  T ones[lanes];
  GRAMIAN_UNROLL
  for (int i = 0; i < lanes; ++i) ones[i] = keep(first + i) ? T(1) : T(0);
  return x * load<T>(ones);
}

template <class T>
GRAMIAN_INLINE void inverses_of(const T* diagonal, T* inverse) {
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes;
  for (int r = 0; r < rows; ++r) inverse[r] = diagonal[r * panel_rows + r];
  GRAMIAN_UNROLL
  for (int v = 0; v < rows; v += lanes) store<T>(inverse + v, broadcast<T>(T(1)) / load<T>(inverse + v));
}

/// y = (D^-1 L)^-1 y, or for a block of L^T: columns[c] is what the solution at c is multiplied with before it is taken off the
/// others. They come divided by the pivots, so that one step waits for a multiplication alone; y is divided by them at the end.
template <class T, bool backwards>
GRAMIAN_INLINE void substitute_vector(const T (&columns)[Block<T>::rows][Block<T>::rows], const T* inverse, Segment<T>& y) {
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes, vectors = vectors_of_block<T>;
  GRAMIAN_UNROLL
  for (int step = 0; step < rows; ++step) {
    const int c = backwards ? rows - 1 - step : step;
    const typename Vec<T>::type known = all_lanes<T>(y[c / lanes], c % lanes);
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) y[v] -= load<T>(columns[c] + v * lanes) * known;
  }
  GRAMIAN_UNROLL
  for (int v = 0; v < vectors; ++v) y[v] *= load<T>(inverse + v * lanes);
}

template <class T>
void vector_solve(const SolveVectorJob<T>& job) {
  using V = typename Vec<T>::type;
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes, vectors = vectors_of_block<T>;
  constexpr int together = 4;  // sums, so that additions do not wait for each other
  for (Index j = 0; j < job.rows; j += rows) {
    const T* left = left_row(job.left, job.left_stride, j);
    V sums[together][vectors] = {};
    for (Index k = 0; k < j; k += together) {
      GRAMIAN_UNROLL
      for (int s = 0; s < together; ++s) {
        const V x = broadcast<T>(job.x[k + s]);
        GRAMIAN_UNROLL
        for (int v = 0; v < vectors; ++v) sums[s][v] += load<T>(left + (k + s) * panel_rows + v * lanes) * x;
      }
    }
    const T* diagonal = left + j * panel_rows;
    T inverse[rows], columns[rows][rows];
    inverses_of(diagonal, inverse);
    Segment<T> y;
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) {
      y[v] = load<T>(job.x + j + v * lanes) - ((sums[0][v] + sums[1][v]) + (sums[2][v] + sums[3][v]));
    }
    GRAMIAN_UNROLL
    for (int c = 0; c < rows; ++c) {
      GRAMIAN_UNROLL
      for (int v = 0; v < vectors; ++v) {
        const V scaled = load<T>(diagonal + c * panel_rows + v * lanes) * broadcast<T>(inverse[c]);
        store<T>(columns[c] + v * lanes, lanes_where<T>(scaled, v * lanes, [c](int r) { return r > c; }));
      }
    }
    substitute_vector<T, false>(columns, inverse, y);
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) store<T>(job.x + j + v * lanes, y[v]);
  }
}

/// columns[c] = row c of the block left of its diagonal, divided by the pivot.
template <class T>
GRAMIAN_INLINE void rows_of_block(const T* diagonal, const T* inverse, T (&columns)[Block<T>::rows][Block<T>::rows]) {
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes;
  if constexpr (rows == lanes) {
    typename Vec<T>::type square[lanes];
    GRAMIAN_UNROLL
    for (int q = 0; q < rows; ++q) square[q] = load<T>(diagonal + q * panel_rows);
    transpose<T>(square);
    GRAMIAN_UNROLL
    for (int c = 0; c < rows; ++c)
      store<T>(columns[c], lanes_where<T>(square[c] * broadcast<T>(inverse[c]), 0, [c](int q) { return q < c; }));
  } else {
    for (int c = 0; c < rows; ++c) {
      for (int q = 0; q < rows; ++q) columns[c][q] = q < c ? diagonal[q * panel_rows + c] * inverse[c] : T(0);
    }
  }
}

template <class T>
void vector_solve_transposed(const SolveVectorJob<T>& job) {
  using V = typename Vec<T>::type;
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes;
  const Index end = (job.rows + rows - 1) / rows * rows;
  for (Index j = end - rows; j >= 0; j -= rows) {
    V sums[rows] = {};  // of the products with each column
    for (Index k = j + rows; k < end; k += lanes) {
      const V x = load<T>(job.x + k);
      const T* column = left_row(job.left, job.left_stride, k) + j * panel_rows;
      GRAMIAN_UNROLL
      for (int c = 0; c < rows; ++c) sums[c] += load<T>(column + c * panel_rows) * x;
    }
    const T* diagonal = left_row(job.left, job.left_stride, j) + j * panel_rows;
    T inverse[rows], columns[rows][rows];
    inverses_of(diagonal, inverse);
    rows_of_block(diagonal, inverse, columns);
    Segment<T> y;
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors_of_block<T>; ++v) {
      y[v] = load<T>(job.x + j + v * lanes) - lane_sums<T>(sums + v * lanes);
    }
    substitute_vector<T, true>(columns, inverse, y);
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors_of_block<T>; ++v) store<T>(job.x + j + v * lanes, y[v]);
  }
}

}  // namespace
}  // namespace gramian::isa
