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

/// The side of the tiles that a product sums over, in order; the blocks of the other side are shared out.
enum class Over { rows, columns };

/// Kᵀ V over rows, K V over columns.
template <Over over, class T>
void product_over(const KernelTiles<T>& tiles, MatrixView<const T> V, MatrixView<T> out) {
  constexpr bool over_rows = over == Over::rows;
  const auto apply = over_rows ? tiles.ops().apply_to_columns : tiles.ops().apply_to_rows;
  const Index n = out.rows(), m = V.rows(), vectors = V.cols(), step = tile_step(m);
  if (!over_rows) require_finite_vectors(V);
  const std::conditional_t<over_rows, RowVectors<T>, ColumnVectors<T>> given(V, step);
  BlockSums sums(n, vectors, step);
  TileScratch<T> scratch(1 + tiles.tree().depth(), vectors * step);

  const double seconds = static_cast<double>(std::min(step, n)) * static_cast<double>(m) * seconds_per_entry(tiles, vectors);
  parallel_for(count_pieces(n, step), seconds, [&](Index block, int worker) {
    const Index first = block * step, count = std::min(step, n - first);
    T* tile = scratch.tile(worker, 0);
    for (Index j = 0; j < count_pieces(m, step); ++j) {
      if (worker == 0) poll_stop();
      const Index summed = j * step, height = std::min(step, m - summed);
      const TileBlock at = over_rows ? TileBlock{summed, height, first, count} : TileBlock{first, count, summed, height};
      tiles.evaluate(at, tile, scratch.tile(worker, 1));
      const isa::ApplyJob<T> job{tile,   tiles.whole_rows(at.height), tiles.whole_cols(at.width), vectors, step, given.tile(j),
                                 nullptr};
      accumulate(apply, job, scratch.extra(worker), sums.tile(block));
    }
  });
  sums.write(out, step);
}

/// Dense points are packed for tiles of K(Y, X): they hold k(y_j, x_i) with i along the vectors of the processor. Of inner
/// products there are only those of the rows with the columns.
template <class T>
void product_of(const Kernel& kernel, const PairSource<T>& source, MatrixView<const T> V, MatrixView<T> out) {
  require_shapes(source, V, out);
  if (out.empty()) return;
  if (source.same()) return product_symmetric(KernelTiles<T>(kernel, source), V, out);
  if (source.dense()) return product_over<Over::rows>(KernelTiles<T>(kernel, source.transposed(), true), V, out);
  product_over<Over::columns>(KernelTiles<T>(kernel, source), V, out);
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
