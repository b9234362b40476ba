// SPDX-License-Identifier: BSD-3-Clause
// What one build of the dense factorizations exports. Matrices come as panels: panel_rows rows of a matrix, column by
// column.
#pragma once

#include <cstdint>

#include "isa/tile_sizes.hpp"

namespace gramian::isa {

/// panel[k * panel_rows + r] = matrix[r * row_stride + k * col_stride] and back; strides of either sign.
template <class T>
struct PackJob {
  T* matrix;
  std::int64_t row_stride;
  std::int64_t col_stride;
  std::int64_t rows;  ///< at most panel_rows; packing fills up the last register block with zeros
  std::int64_t columns;
  T* panel;
};

/// out[j * out_stride + i] (+ or -)= sum_k left(j, k) right[k * panel_rows + i] for j < rows, i < width, where
/// left(j, k) = left[j / panel_rows * left_stride + k * panel_rows + j % panel_rows]. The lanes up to the next whole vector of
/// i, and the rows up to the next whole register block of j, are written too.
template <class T>
struct ProductJob {
  const T* left;
  std::int64_t left_stride;
  const T* right;
  std::int64_t steps;
  T* out;
  std::int64_t out_stride;
  std::int64_t rows;
  std::int64_t width;
};

/// A panel X with X Lᵀ = B, or X L = B, in place of B: columns 0 .. rows-1, L as `left` above with its diagonal at left(j, j).
template <class T>
struct SolveJob {
  const T* left;
  std::int64_t left_stride;
  T* out;
  std::int64_t rows;
  std::int64_t width;
};

/// One vector x with L x = b, or Lᵀ x = b, in place of b; L as in SolveJob. Up to the next whole register block it is there.
template <class T>
struct SolveVectorJob {
  const T* left;
  std::int64_t left_stride;
  T* x;
  std::int64_t rows;
};

/// A diagonal tile of panels, `stride` numbers apart. On return its lower part holds the factor, and what is right of the
/// diagonal is zero within a panel.
template <class T>
struct FactorJob {
  T* tile;
  std::int64_t stride;
  std::int64_t rows;
};

/// Whether |lower[r * stride + k] - upper[k * stride + r]| <= allowed fails anywhere.
template <class T>
struct CompareJob {
  const T* lower;
  const T* upper;
  std::int64_t stride;
  std::int64_t rows;
  std::int64_t columns;
  T allowed;
};

/// Scores norms[j] - 2 inner[j] for j < count.
template <class T>
struct ScoreJob {
  const T* norms;
  const T* inner;
  std::int64_t count;
  T limit;
};

/// A matrix with contiguous rows, `stride` numbers apart, and vectors.
template <class T>
struct VectorJob {
  const T* matrix;
  std::int64_t stride;
  std::int64_t rows;
  std::int64_t columns;
  const T* x;
  T* out;
};

/// Vectors of a SymmetricJob.
constexpr std::int64_t symmetric_vectors = 8;

/// Rows of a symmetric matrix, contiguous and `stride` numbers apart, at columns that are not theirs, and vectors whose numbers
/// for one row or column lie side by side: row_sums += matrix col_x, col_sums += matrixᵀ row_x.
template <class T>
struct SymmetricJob {
  const T* matrix;
  std::int64_t stride;
  std::int64_t rows;
  std::int64_t columns;
  const T* row_x;
  const T* col_x;
  T* row_sums;
  T* col_sums;
};

/// Rows that a SymmetricVectorJob takes at a time.
constexpr std::int64_t symmetric_strip = 8;

/// sums += A x for what rows first .. first + rows of a symmetric A have left of the diagonal, each entry for its row and its
/// column. `first` and `rows` are multiples of symmetric_strip, and A has its squares of this size on the diagonal in full.
template <class T>
struct SymmetricVectorJob {
  const T* matrix;  ///< all of A
  std::int64_t stride;
  std::int64_t first;
  std::int64_t rows;
  const T* x;
  T* sums;
};

/// Terms of a secular function: poles[i], and squares[i] over the distance of the pole from origin + shift.
template <class T>
struct SecularJob {
  const T* poles;
  const T* squares;
  std::int64_t count;
  T origin;
  T shift;
};

template <class T>
struct SecularSums {
  T value;
  T slope;
};

/// distances[j * stride + i] = poles[i] - root j.
template <class T>
struct DistanceJob {
  const T* poles;
  std::int64_t count;  ///< of poles and of roots
  const T* distances;
  std::int64_t stride;
  std::int64_t first;  ///< of the poles whose products are wanted
  std::int64_t end;
  T* products;
};

/// Diagonals below the main one of a BandJob, and its right-hand sides.
constexpr std::int64_t band_width = 8;
constexpr std::int64_t band_lanes = 8;

/// Column c of X becomes B (scale_c B + shift_c I)^-1 X_c for B(i, i - d) = band[i * (band_width + 1) + d]; the matrix that it is
/// divided by has an elimination with positive pivots.
template <class T>
struct BandJob {
  const T* band;
  std::int64_t rows;
  const T* scale;  ///< band_lanes numbers, as shift
  const T* shift;
  T norm;          ///< of B
  const T* right;  ///< X(i, c) = right[i * band_lanes + c]
  T* x;            ///< the result, at x[(i + band_width) * band_lanes + c]; what is before it is overwritten
  T* work;         ///< (rows + band_width) * (band_width + 1) * band_lanes numbers
};

/// Vectors v_0 .. v_count, `stride` numbers apart, each with room for whole SIMD vectors: for k = 0, 1, .. v_k becomes
/// c_k v_k + s_k v_(k+1) and v_(k+1) becomes c_k v_(k+1) - s_k v_k.
template <class T>
struct RotationJob {
  T* vectors;
  std::int64_t stride;
  std::int64_t rows;
  std::int64_t count;
  const T* cosines;
  const T* sines;
};

template <class T>
struct DenseOps {
  void (*pack)(const PackJob<T>& job);
  void (*unpack)(const PackJob<T>& job);
  void (*add_product)(const ProductJob<T>& job);
  void (*subtract_product)(const ProductJob<T>& job);
  void (*solve)(const SolveJob<T>& job);
  void (*solve_transposed)(const SolveJob<T>& job);
  void (*solve_vector)(const SolveVectorJob<T>& job);
  void (*solve_vector_transposed)(const SolveVectorJob<T>& job);
  /// The first row of the tile whose pivot is not a positive finite number, with the pivot left on the diagonal; -1 if all are.
  std::int64_t (*factor)(const FactorJob<T>& job);
  bool (*differs_from_transpose)(const CompareJob<T>& job);
  /// The first j from `from` on whose score is not above the limit, as NaN is not; `count` if there is none.
  std::int64_t (*next_score)(const ScoreJob<T>& job, std::int64_t from);
  /// The first j with the least score; limit is unused. What is not a number counts as infinity, and an infinite one is 0.
  std::int64_t (*least_score)(const ScoreJob<T>& job);
  /// out[r] -= sum_k matrix(r, k) x[k]
  void (*subtract_rows)(const VectorJob<T>& job);
  /// out[k] -= sum_r matrix(r, k) x[r]
  void (*subtract_columns)(const VectorJob<T>& job);
  /// As subtract_product with the panels of `left` read along their rows: left(j, k) = left[k / panel_rows * left_stride +
  /// j * panel_rows + k % panel_rows].
  void (*subtract_transposed)(const ProductJob<T>& job);
  void (*symmetric_block)(const SymmetricJob<T>& job);
  void (*symmetric_vector)(const SymmetricVectorJob<T>& job);
  /// sum squares / d and sum squares / d^2 for d = poles - origin - shift
  SecularSums<T> (*secular_sums)(const SecularJob<T>& job);
  /// products[i] = prod_j (poles[i] - root j) / (poles[i] - poles[j]), with -1 for the denominator that is zero
  void (*distance_products)(const DistanceJob<T>& job);
  /// distances[i] = numerators[i] / distances[i]; returns the sum of their squares
  T (*divide_by_distances)(std::int64_t count, const T* numerators, T* distances);
  void (*divide_by_band)(const BandJob<T>& job);
  void (*rotate)(const RotationJob<T>& job);
};

}  // namespace gramian::isa
