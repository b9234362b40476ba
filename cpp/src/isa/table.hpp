// SPDX-License-Identifier: BSD-3-Clause
// What one build of the hot kernels exports: plain functions on plain arrays, one table for each instruction set.
//
// The objects behind a table are compiled for different processors and linked into one library, so nothing that the linker could
// merge may be in them: no standard library templates, no Eigen, every name but the table in an anonymous namespace.
#pragma once

#include <cstdint>

#include "isa/dense_table.hpp"

namespace gramian::isa {

using Index = std::int64_t;  // as gramian::Index, without its header

/// The kernels in the order of kernels/registry.inc; a name here is a column of the tables below.
enum class KernelId : int {
#define GRAMIAN_KERNEL(Name) Name,
#include "kernels/registry.inc"
#undef GRAMIAN_KERNEL
};
constexpr int kernel_count = 0
#define GRAMIAN_KERNEL(Name) +1
#include "kernels/registry.inc"
#undef GRAMIAN_KERNEL
    ;

/// Tiles of a Gram matrix are this wide and high: a multiple of every panel width, and its cache footprint is half of an L2.
constexpr Index tile_size = 192;

/// Points packed in panels: panel p holds rows p * width .. of a point set, feature by feature; half[i] = |x_i|^2 / 2 as packed.
template <class T>
struct PackedPoints {
  const T* panels;
  const T* half;
};

/// Kernel values of a tile: out[i * tile_size + j] = k(row i, column j), for whole panels of rows and columns.
template <class T>
struct TileJob {
  PackedPoints<T> rows;  ///< panels of Ops::row_panel points
  PackedPoints<T> cols;  ///< panels of Ops::col_panel points
  Index dimension;
  Index row_panels;
  Index col_panels;
  const double* parameters;
  T* out;
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

template <class T>
struct Ops {
  Index row_panel;
  Index col_panel;
  void (*tile[kernel_count])(const TileJob<T>& job);
  void (*store)(const StoreJob<T>& job);
  /// out[j * row_stride + i] = tile[i * tile_size + j]; scratch has room for 64 / sizeof(T) rows of a tile.
  void (*store_transposed)(const StoreJob<T>& job, T* scratch);
  /// sums[c * stride + j] += sum_i tile[i * tile_size + j] V[i * vectors + c].
  void (*apply_to_columns)(const ApplyJob<T>& job);
  /// sums[c * stride + i] += sum_j tile[i * tile_size + j] V[c * stride + j].
  void (*apply_to_rows)(const ApplyJob<T>& job);
};

struct Table {
  const char* name;
  Ops<double> float64;
  Ops<float> float32;
  DenseOps<double> dense;
};

}  // namespace gramian::isa
