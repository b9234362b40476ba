// SPDX-License-Identifier: BSD-3-Clause
// Substitution with a lower triangular tile, and the Cholesky factor of one.
#pragma once

#include "isa/dense_product.hpp"

namespace gramian::isa {
namespace {

/// One over each pivot of a register block.
template <class T>
struct Inverses {
  T of[Block<T>::rows];
};

template <class T>
GRAMIAN_INLINE Inverses<T> inverses(const T* diagonal) {
  Inverses<T> inverse;
  for (int r = 0; r < Block<T>::rows; ++r) inverse.of[r] = T(1) / diagonal[r * panel_rows + r];
  return inverse;
}

/// sums = the solution for one register block: a row is divided by its pivot and taken off those that come after it, which are
/// the rows below, or above it for the transposed triangle.
template <class T, bool transposed, int vectors>
GRAMIAN_INLINE void substitute(const T* diagonal, const Inverses<T>& inverse, Strip<T, vectors>& sums) {
  constexpr int rows = Block<T>::rows;
  GRAMIAN_UNROLL
  for (int i = 0; i < rows; ++i) {
    const int r = transposed ? rows - 1 - i : i;
    const typename Vec<T>::type scale = broadcast<T>(inverse.of[r]);
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) sums[r][v] *= scale;
    GRAMIAN_UNROLL
    for (int k = i + 1; k < rows; ++k) {
      const int q = transposed ? rows - 1 - k : k;
      const typename Vec<T>::type factor = broadcast<T>(transposed ? diagonal[q * panel_rows + r] : diagonal[r * panel_rows + q]);
      GRAMIAN_UNROLL
      for (int v = 0; v < vectors; ++v) sums[q][v] -= factor * sums[r][v];
    }
  }
}

/// A register block of a panel's solution, from column j on; `left` is the row j of the triangle.
template <class T, int vectors>
GRAMIAN_INLINE void solve_block(const T* left, const Inverses<T>& inverse, T* panel, Index j) {
  T* out = panel + j * panel_rows;
  Strip<T, vectors> sums;
  subtract_block<T, vectors>(j, left, panel, out, panel_rows, sums);
  substitute<T, false>(left + j * panel_rows, inverse, sums);
  store_block<T>(out, panel_rows, sums);
}

template <class T>
struct SolveStrip {
  template <int vectors>
  static GRAMIAN_INLINE void run(const SolveJob<T>& job, Index lane) {
    GRAMIAN_NO_UNROLL
    for (Index j = 0; j < job.rows; j += Block<T>::rows) {
      const T* left = left_row(job.left, job.left_stride, j);
      solve_block<T, vectors>(left, inverses(left + j * panel_rows), job.out + lane, j);
    }
  }
};

template <class T>
void panel_solve(const SolveJob<T>& job) {
  for_strips<T, SolveStrip<T>>(job);
}

/// sums[r][v] += sum_k column r of the panel, from row 0 on, times right: the panel read along its rows.
template <class T, int vectors>
GRAMIAN_INLINE void multiply_add_columns(Index steps, const T* panel, const T* right, Strip<T, vectors>& sums) {
  for (Index k = 0; k < steps; ++k) {
    GRAMIAN_UNROLL
    for (int r = 0; r < Block<T>::rows; ++r) {
      const typename Vec<T>::type left = broadcast<T>(panel[r * panel_rows + k]);
      GRAMIAN_UNROLL
      for (int v = 0; v < vectors; ++v) sums[r][v] += left * load<T>(right + k * panel_rows + v * Vec<T>::lanes);
    }
  }
}

template <class T>
struct TransposedProductStrip {
  template <int vectors>
  static GRAMIAN_INLINE void run(const ProductJob<T>& job, Index lane) {
    GRAMIAN_NO_UNROLL
    for (Index j = 0; j < job.rows; j += Block<T>::rows) {
      T* out = job.out + j * job.out_stride + lane;
      Strip<T, vectors> sums;
      clear_block(sums);
      for (Index k = 0; k < job.steps; k += panel_rows) {
        const Index steps = job.steps - k < panel_rows ? job.steps - k : panel_rows;
        multiply_add_columns<T, vectors>(steps, left_row(job.left, job.left_stride, k) + j * panel_rows,
                                         job.right + lane + k * panel_rows, sums);
      }
      subtract_block_from<T>(out, job.out_stride, sums);
      store_block<T>(out, job.out_stride, sums);
    }
  }
};

template <class T>
void subtract_transposed(const ProductJob<T>& job) {
  for_strips<T, TransposedProductStrip<T>>(job);
}

template <class T>
struct SolveTransposedStrip {
  template <int vectors>
  static GRAMIAN_INLINE void run(const SolveJob<T>& job, Index lane) {
    constexpr Index rows = Block<T>::rows;
    const Index end = (job.rows + rows - 1) / rows * rows;
    for (Index j = end - rows; j >= 0; j -= rows) {
      T* out = job.out + lane + j * panel_rows;
      Strip<T, vectors> sums;
      clear_block(sums);
      for (Index k = j + rows; k < end;) {
        const Index panel_end = (k / panel_rows + 1) * panel_rows, next = panel_end < end ? panel_end : end;
        multiply_add_columns<T, vectors>(next - k, left_row(job.left, job.left_stride, k) + j * panel_rows,
                                         job.out + lane + k * panel_rows, sums);
        k = next;
      }
      subtract_block_from<T>(out, panel_rows, sums);
      const T* diagonal = left_row(job.left, job.left_stride, j) + j * panel_rows;
      substitute<T, true>(diagonal, inverses(diagonal), sums);
      store_block<T>(out, panel_rows, sums);
    }
  }
};

template <class T>
void panel_solve_transposed(const SolveJob<T>& job) {
  for_strips<T, SolveTransposedStrip<T>>(job);
}

GRAMIAN_INLINE bool is_pivot(double x) { return x > 0.0 && x < __builtin_inf(); }

/// The factor of a small matrix in place, its lower part at block[c * panel_rows + r], zeros above. The first bad pivot, or -1.
/// Square roots are taken at the end: each pivot waits for a division by the one before it, which is long enough.
template <class T>
GRAMIAN_INLINE Index factor_block(T* block, Inverses<T>& inverse) {
  using V = typename Vec<T>::type;
  constexpr int rows = Block<T>::rows, lanes = Vec<T>::lanes, vectors = rows / lanes;
  static_assert(vectors * lanes == rows, "a column of the block is whole vectors");
  V columns[rows][vectors];
  GRAMIAN_UNROLL
  for (int c = 0; c < rows; ++c) {
    GRAMIAN_UNROLL
    for (int v = 0; v < vectors; ++v) columns[c][v] = load<T>(block + c * panel_rows + v * lanes);
  }
  T pivots[rows];
  GRAMIAN_UNROLL
  for (int c = 0; c < rows; ++c) {
    // Written and read back number by number: that is how a lane reaches all lanes.
    T* column = block + c * panel_rows;
    GRAMIAN_UNROLL
    for (int v = c / lanes; v < vectors; ++v) store<T>(column + v * lanes, columns[c][v]);
    pivots[c] = column[c];
    if (!is_pivot(pivots[c])) return c;
    V scaled[vectors];
    GRAMIAN_UNROLL
    for (int v = c / lanes; v < vectors; ++v) scaled[v] = columns[c][v] / broadcast<T>(pivots[c]);
    GRAMIAN_UNROLL
    for (int q = c + 1; q < rows; ++q) {
      GRAMIAN_UNROLL
      for (int v = q / lanes; v < vectors; ++v) columns[q][v] -= broadcast<T>(column[q]) * scaled[v];
    }
  }
  GRAMIAN_UNROLL
  for (int c = 0; c < rows; ++c) {
    T* column = block + c * panel_rows;
    const T root = __builtin_sqrt(pivots[c]);
    inverse.of[c] = T(1) / root;
    GRAMIAN_UNROLL
    for (int v = c / lanes; v < vectors; ++v) store<T>(column + v * lanes, columns[c][v] * broadcast<T>(inverse.of[c]));
    column[c] = root;
    for (int r = 0; r < c; ++r) column[r] = T(0);
  }
  return -1;
}

/// The lanes of a panel below one of its diagonal blocks, whose products are already taken off.
template <class T>
struct BelowBlock {
  const T* diagonal;
  const Inverses<T>& inverse;
  T* out;
  Index width;

  template <int vectors>
  static GRAMIAN_INLINE void run(const BelowBlock& job, Index lane) {
    Strip<T, vectors> sums;
    subtract_block<T, vectors>(0, job.out, job.out, job.out + lane, panel_rows, sums);
    substitute<T, false>(job.diagonal, job.inverse, sums);
    store_block<T>(job.out + lane, panel_rows, sums);
  }
};

/// Some columns of a panel below the one that holds their diagonal block.
template <class T>
struct BelowPanel {
  const T* left;
  const Inverses<T>& inverse;
  T* panel;
  Index column;
  Index width;

  template <int vectors>
  static GRAMIAN_INLINE void run(const BelowPanel& job, Index lane) {
    solve_block<T, vectors>(job.left, job.inverse, job.panel + lane, job.column);
  }
};

/// Columns j .. j + Block::rows of the panel that holds their diagonal block. The first bad pivot among them, or -1.
template <class T>
GRAMIAN_INLINE Index factor_columns(T* panel, Index j, Index width, Inverses<T>& inverse) {
  constexpr Index rows = Block<T>::rows;
  const Index g = j % panel_rows;
  T* out = panel + j * panel_rows;
  panel_product<T, true>({panel + g, 0, panel + g, j, out + g, panel_rows, rows, width - g});
  const Index bad = factor_block(out + g, inverse);
  if (bad >= 0) return bad;
  for (Index c = 0; c < rows; ++c) {
    for (Index r = 0; r < g; ++r) out[c * panel_rows + r] = T(0);
  }
  const BelowBlock<T> below{out + g, inverse, out + g + rows, width - g - rows};
  for_strips<T, BelowBlock<T>>(below);
  return -1;
}

/// Column by column, all panels of a few columns before the next ones: panels do not wait for each other.
template <class T>
Index panel_factor(const FactorJob<T>& job) {
  const auto rows_from = [&job](Index row) { return job.rows - row < panel_rows ? job.rows - row : panel_rows; };
  for (Index j = 0; j < job.rows; j += Block<T>::rows) {
    const Index first = j / panel_rows * panel_rows;
    Inverses<T> inverse;
    const Index bad = factor_columns(job.tile + j / panel_rows * job.stride, j, rows_from(first), inverse);
    if (bad >= 0) return j + bad;
    const T* left = left_row(job.tile, job.stride, j);
    for (Index row = first + panel_rows; row < job.rows; row += panel_rows) {
      const BelowPanel<T> below{left, inverse, job.tile + row / panel_rows * job.stride, j, rows_from(row)};
      for_strips<T, BelowPanel<T>>(below);
    }
  }
  return -1;
}

}  // namespace
}  // namespace gramian::isa
