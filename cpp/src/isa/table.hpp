// SPDX-License-Identifier: BSD-3-Clause
// What one build of the hot kernels exports: plain functions on plain arrays, one table for each instruction set.
//
// The objects behind a table are compiled for different processors and linked into one library, so nothing that the linker could
// merge may be in them: no standard library templates, no Eigen, every name but the table in an anonymous namespace.
#pragma once

#include <cstdint>

#include "isa/dense_table.hpp"
#include "isa/feature_table.hpp"
#include "isa/tile_sizes.hpp"

namespace gramian::isa {

using Index = std::int64_t;  // as gramian::Index, without its header

/// Points packed in panels: panel p holds rows p * width .. of a point set, feature by feature; half[i] = |x_i|^2 / 2 as packed.
template <class T>
struct PackedPoints {
  const T* panels;
  const T* half;
};

/// A tile from points, for whole panels of rows and columns: out[i * tile_size + j] belongs to row i and column j.
template <class T>
struct TileJob {
  PackedPoints<T> rows;  ///< panels of Ops::row_panel points
  PackedPoints<T> cols;  ///< panels of Ops::col_panel points
  Index dimension;
  Index row_panels;
  Index col_panels;
  const double* parameters;
  T* out;
  const T* factors;  ///< of Ops::weigh: a tile; else unused
};

/// Kernel values of one point with many: out[i] belongs to point i of whole panels.
template <class T>
struct PointRowJob {
  const T* point;          ///< as packed: `dimension` numbers
  T half;                  ///< of the point
  PackedPoints<T> points;  ///< panels of Ops::row_panel points
  Index dimension;
  Index panels;
  const double* parameters;
  T* out;
};

/// What is done with each pair of a tile on its own. `raw` is the s of kernels/profile.hpp, `weights` the gradient of something
/// in the tile's kernel values. Sums are added to what is there.
template <class T>
struct PairJob {
  Index rows;
  Index cols;
  const T* row_half;
  const T* col_half;
  const double* parameters;
  T* raw;
  T* weights;              ///< in: Kbar; out: Kbar o G_s
  T* row_sums;             ///< (Kbar o G_a) 1
  T* col_sums;             ///< (Kbar o G_b)^T 1
  double* parameter_sums;  ///< sum Kbar o G_theta
};

/// The same along a direction: raw_dot = s', half_dot = <x, x'>.
template <class T>
struct DirectionJob {
  PairJob<T> at;  ///< weights, row_sums, col_sums as above; parameter_sums unused
  const T* row_half_dot;
  const T* col_half_dot;
  T* raw_dot;      ///< left as G_s s' + G_a a' + G_b b': the derivative of the kernel value
  T* weights_dot;  ///< in: Kbar'; out: Kbar' o G_s + Kbar o G_s'
  T* row_sums_dot;
  T* col_sums_dot;
};

/// Values and derivatives in s, where a kernel is a function of s only.
template <class T>
struct SlopeJob {
  PairJob<T> at;  ///< raw is left as kernel values; weights and sums are unused
  T* once;        ///< dk/ds
  T* twice;       ///< d^2k/ds^2, 0 where it is unbounded; null if it is not wanted
};

/// Gradients of a kernel that is a product over coordinates: they never leave the points. The weights are Kbar o K.
template <class T>
struct CoordinateJob {
  TileJob<T> points;  ///< out is unused
  const T* weights;
  T* row_sums;  ///< row_sums[k * stride + i] += sum_j weights psi(x_ik - y_jk), psi = (log kappa)'; null: col_sums alone
  T* col_sums;  ///< col_sums[k * stride + j] -= the same, summed over i
  Index stride;
  double* scale_sum;  ///< sum weights sum_k psi(d) d; null if it is not wanted, and unused without row_sums
};

/// The same along directions: panels of x' and y', and the derivatives of the weights.
template <class T>
struct CoordinateDirectionJob {
  CoordinateJob<T> at;  ///< scale_sum unused
  const T* rows_dot;    ///< panels as of points.rows
  const T* cols_dot;
  const T* weights_dot;
  T* row_sums_dot;
  T* col_sums_dot;
};

/// A tile that leaves for the caller's matrix: height x width numbers, row_stride apart.
template <class T>
struct StoreJob {
  const T* tile;
  Index height;
  Index width;
  T* out;
  Index row_stride;
  bool streaming;  ///< past the cache: for results that do not fit into it
};

/// A tile times a block of vectors. Rows and columns are whole panels: V is zero where they reach beyond the points. What lies
/// along the tile's rows or columns is `stride` numbers a vector: sums, and V when it is applied to rows.
template <class T>
struct ApplyJob {
  const T* tile;
  Index rows;
  Index cols;
  Index vectors;
  Index stride;
  const T* V;
  T* sums;
};

/// A few rows of values, tile_size apart, times a block of vectors, row-major. Up to `room_behind` numbers behind the last one of
/// V are read, and behind the last sum of a row as many are written.
template <class T>
struct ApplyFewJob {
  const T* values;
  Index rows;
  Index count;  ///< values of a row, and rows of V; of a single row they may be more than a tile has
  Index step;   ///< values whose sum is formed before it is added to the others
  Index vectors;
  const T* V;
  T* sums;
  Index sum_stride;
};
constexpr Index room_behind = 16;  ///< a vector of any build

/// The same for rows and columns at once, each vector counted as in ApplyJob: what apply_to_columns makes of row_V goes to
/// col_sums, and what apply_to_rows makes of col_V to row_sums.
template <class T>
struct ApplyBothJob {
  const T* tile;
  Index rows;
  Index cols;
  Index vectors;
  Index stride;
  const T* row_V;
  const T* col_V;
  T* row_sums;
  T* col_sums;
};

/// A tile between points: sums[k] += sum_ij row_points[i * stride + k] tile[i * tile_size + j] col_points[j * stride + k] for
/// k < stride, a multiple of 8.
template <class T>
struct BilinearJob {
  const T* tile;
  Index rows;
  Index cols;
  const T* row_points;
  const T* col_points;
  Index stride;
  T* sums;
};

/// One kernel. What a kernel has no use for is null: coordinate products know no pairs, the others no coordinates.
template <class T>
struct KernelOps {
  void (*tile)(const TileJob<T>& job);           ///< values from points
  void (*point_row)(const PointRowJob<T>& job);  ///< the same bits, for one point; null where a panel is no whole vectors
  void (*diagonal)(Index count, const T* half, const double* parameters, T* out);  ///< k(x, x)
  void (*values)(const PairJob<T>& job);                                           ///< raw becomes values
  void (*chain)(const PairJob<T>& job);
  void (*value_and_chain)(const PairJob<T>& job);  ///< chain without the parameters, and raw becomes values
  void (*chain_along)(const DirectionJob<T>& job);
  void (*slopes)(const SlopeJob<T>& job);  ///< null where |x|^2 and |y|^2 matter beside s
  void (*coordinate_chain)(const CoordinateJob<T>& job);
  void (*coordinate_rate)(const CoordinateDirectionJob<T>& job, T* out);  ///< out = sum_k psi(d_k) d_k': the derivative of log k
  void (*coordinate_chain_along)(const CoordinateDirectionJob<T>& job);
  double slope_of_value;  ///< dk/ds = slope_of_value * k everywhere; 0 if this kernel is not of that kind
};

template <class T>
struct Ops {
  Index row_panel;
  Index col_panel;
  const KernelOps<T>* kernels;                  ///< one for each kernel, in the order of kernels/registry.hpp
  void (*raw_distance)(const TileJob<T>& job);  ///< <x, y> - half_x - half_y
  void (*raw_inner)(const TileJob<T>& job);     ///< <x, y>
  void (*weigh)(const TileJob<T>& job);         ///< <x, y> times the entry of job.factors
  void (*store)(const StoreJob<T>& job);
  /// out[j * row_stride + i] = tile[i * tile_size + j]; scratch has room for 64 / sizeof(T) rows of a tile.
  void (*store_transposed)(const StoreJob<T>& job, T* scratch);
  /// sums[c * stride + j] += sum_i tile[i * tile_size + j] V[i * vectors + c].
  void (*apply_to_columns)(const ApplyJob<T>& job);
  /// sums[c * stride + i] += sum_j tile[i * tile_size + j] V[c * stride + j].
  void (*apply_to_rows)(const ApplyJob<T>& job);
  void (*apply_to_both)(const ApplyBothJob<T>& job);
  /// sums[r * sum_stride + c] += sum_j values[r * tile_size + j] V[j * vectors + c], j in order, in pieces of `step`.
  void (*apply_few)(const ApplyFewJob<T>& job);
  void (*bilinear)(const BilinearJob<T>& job);
  /// On rows x cols of a tile: a = a b; a = a + b; a = factor a; sum a b; whether every entry is finite.
  void (*multiply)(Index rows, Index cols, T* a, const T* b);
  void (*add)(Index rows, Index cols, T* a, const T* b);
  void (*scale)(Index rows, Index cols, T* a, T factor);
  double (*dot)(Index rows, Index cols, const T* a, const T* b);
  bool (*all_finite)(Index rows, Index cols, const T* a);
};

struct Table {
  const char* name;
  Ops<double> float64;
  Ops<float> float32;
  DenseOps<double> dense;
  FeatureOps feature;
};

}  // namespace gramian::isa
