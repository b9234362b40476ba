// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/product.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "gram/accumulate.hpp"
#include "gram/block_vectors.hpp"
#include "gram/pair_schedule.hpp"
#include "gram/kernel_tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

using isa::tile_size;

template <class T>
void require_shapes(const PairSource<T>& source, MatrixView<const T> V, MatrixView<T> out) {
  const auto shape = [](Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); };
  require(V.rows() == source.cols(),
          "V is " + shape(V.rows(), V.cols()) + ", it must have " + std::to_string(source.cols()) + " rows");
  require(out.rows() == source.rows() && out.cols() == V.cols(),
          "out is " + shape(out.rows(), out.cols()) + ", it must be " + shape(source.rows(), V.cols()));
}

template <class T>
double seconds_per_entry(const KernelTiles<T>& tiles, Index vectors) {
  return tiles.seconds_per_entry() + 0.03e-9 * static_cast<double>(vectors);
}

/// K(X, X) V: each pair of tiles is evaluated once and applied to its rows and to its columns.
template <class T>
void product_symmetric(const KernelTiles<T>& tiles, MatrixView<const T> V, MatrixView<T> out) {
  const Index n = tiles.rows(), vectors = V.cols(), step = tile_step(n);
  const RowVectors<T> by_row(V, step);
  const ColumnVectors<T> by_column(V, step);
  BlockSums sums(n, vectors, step);
  TileScratch<T> scratch(1 + tiles.tree().depth(), 2 * vectors * step);

  const auto visit = [&](Index row_tile, Index col_tile, int worker, BlockSums& into) {
    if (worker == 0) poll_stop();
    const Index row = row_tile * step, col = col_tile * step;
    const TileBlock block{row, std::min(step, n - row), col, std::min(step, n - col)};
    T *tile = scratch.tile(worker, 0), *tile_sums = scratch.extra(worker);
    tiles.evaluate(block, tile, scratch.tile(worker, 1));
    const isa::ApplyBothJob<T> job{tile,   tiles.whole_rows(block.height), tiles.whole_cols(block.width), vectors,
                                   step,   by_row.tile(row_tile),          by_column.tile(col_tile),      nullptr,
                                   nullptr};
    accumulate_pair(tiles.ops(), job, row_tile == col_tile, tile_sums, into.tile(row_tile), into.tile(col_tile));
  };
  sum_over_pairs(static_cast<double>(step * step) * seconds_per_entry(tiles, vectors), sums, visit);
  sums.write(out, step);
}

/// K(X, Y) V from tiles of K(Y, X): they hold k(y_j, x_i) with i along the vectors of the processor, and j is summed in order.
template <class T>
void product_cross(const KernelTiles<T>& tiles, MatrixView<const T> V, MatrixView<T> out) {
  const Index n = tiles.cols(), m = tiles.rows(), vectors = V.cols(), step = tile_step(m);
  const RowVectors<T> by_row(V, step);
  BlockSums sums(n, vectors, step);
  TileScratch<T> scratch(1 + tiles.tree().depth(), vectors * step);

  const double seconds = static_cast<double>(std::min(step, n)) * static_cast<double>(m) * seconds_per_entry(tiles, vectors);
  parallel_for(count_pieces(n, step), seconds, [&](Index block_index, int worker) {
    TileBlock block{0, 0, block_index * step, std::min(step, n - block_index * step)};
    T* tile = scratch.tile(worker, 0);
    for (Index j = 0; j < count_pieces(m, step); ++j) {
      if (worker == 0) poll_stop();
      block.row = j * step;
      block.height = std::min(step, m - j * step);
      tiles.evaluate(block, tile, scratch.tile(worker, 1));
      const isa::ApplyJob<T> job{
          tile, tiles.whole_rows(block.height), tiles.whole_cols(block.width), vectors, step, by_row.tile(j), nullptr};
      accumulate(tiles.ops().apply_to_columns, job, scratch.extra(worker), sums.tile(block_index));
    }
  });
  sums.write(out, step);
}

/// Of inner products there are only those of the rows with the columns: rows are summed as they are.
template <class T>
void product_by_rows(const KernelTiles<T>& tiles, MatrixView<const T> V, MatrixView<T> out) {
  const Index n = tiles.rows(), m = tiles.cols(), vectors = V.cols(), step = tile_step(m);
  const ColumnVectors<T> by_column(V, step);
  BlockSums sums(n, vectors, step);
  TileScratch<T> scratch(1 + tiles.tree().depth(), vectors * step);

  const double seconds = static_cast<double>(std::min(step, n)) * static_cast<double>(m) * seconds_per_entry(tiles, vectors);
  parallel_for(count_pieces(n, step), seconds, [&](Index block_index, int worker) {
    TileBlock block{block_index * step, std::min(step, n - block_index * step), 0, 0};
    T* tile = scratch.tile(worker, 0);
    for (Index j = 0; j < count_pieces(m, step); ++j) {
      if (worker == 0) poll_stop();
      block.col = j * step;
      block.width = std::min(step, m - j * step);
      tiles.evaluate(block, tile, scratch.tile(worker, 1));
      const isa::ApplyJob<T> job{
          tile, tiles.whole_rows(block.height), tiles.whole_cols(block.width), vectors, step, by_column.tile(j), nullptr};
      accumulate(tiles.ops().apply_to_rows, job, scratch.extra(worker), sums.tile(block_index));
    }
  });
  sums.write(out, step);
}

template <class T>
void product_of(const Kernel& kernel, const PairSource<T>& source, MatrixView<const T> V, MatrixView<T> out) {
  require_shapes(source, V, out);
  if (out.empty()) return;
  if (source.same()) return product_symmetric(KernelTiles<T>(kernel, source), V, out);
  if (source.dense()) return product_cross(KernelTiles<T>(kernel, source.transposed(), true), V, out);
  product_by_rows(KernelTiles<T>(kernel, source), V, out);
}

}  // namespace

void product(const Kernel& kernel, const Points& X, MatrixView<const double> V, MatrixView<double> out) {
  product_of(kernel, PairSource<double>(X), V, out);
}
void product(const Kernel& kernel, const Points& X, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(X), V, out);
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) {
  product_of(kernel, PairSource<double>(X, Y), V, out);
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(X, Y), V, out);
}
void product(const Kernel& kernel, const InnerProducts<double>& XY, MatrixView<const double> V, MatrixView<double> out) {
  product_of(kernel, PairSource<double>(XY), V, out);
}
void product(const Kernel& kernel, const InnerProducts<float>& XY, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(XY), V, out);
}

}  // namespace gramian
