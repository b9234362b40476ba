// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/product.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "gram/block_vectors.hpp"
#include "gram/pair_schedule.hpp"
#include "gram/tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

using isa::tile_size;

/// Tiles of half the size up to here: there are more of them to share, and a tile with its vectors stays in a smaller cache.
constexpr Index small_problem = 3000;

Index tile_step(Index n) { return n <= small_problem ? tile_size / 2 : tile_size; }

template <class T>
void require_shapes(const Points& X, const Points& Y, MatrixView<const T> V, MatrixView<T> out) {
  const auto shape = [](Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); };
  require(V.rows() == Y.size(), "V is " + shape(V.rows(), V.cols()) + ", it must have " + std::to_string(Y.size()) + " rows");
  require(out.rows() == X.size() && out.cols() == V.cols(),
          "out is " + shape(out.rows(), out.cols()) + ", it must be " + shape(X.size(), V.cols()));
}

template <class T>
double seconds_per_entry(const GramTiles<T>& tiles, Index vectors) {
  return tiles.seconds_per_entry() + 0.03e-9 * static_cast<double>(vectors);
}

/// A tile and, for float32, the sums of one tile before they join the others in float64.
template <class T>
class Scratch {
 public:
  explicit Scratch(Index vectors)
      : size_(tile_size * tile_size + tile_size * vectors), numbers_(checked_product(max_workers(), size_)) {}
  T* tile(int worker) { return numbers_.data() + worker * size_; }
  T* sums(int worker) { return tile(worker) + tile_size * tile_size; }

 private:
  Index size_;
  Buffer<T> numbers_;
};

/// Adds what `apply` leaves for one tile to sums.
template <class T>
void accumulate(void (*apply)(const isa::ApplyJob<T>&), isa::ApplyJob<T> job, T* tile_sums, double* sums) {
  if constexpr (std::is_same_v<T, double>) {
    job.sums = sums;
    apply(job);
  } else {
    const Index count = job.vectors * job.stride;
    std::fill_n(tile_sums, count, T(0));
    job.sums = tile_sums;
    apply(job);
    for (Index i = 0; i < count; ++i) sums[i] += static_cast<double>(tile_sums[i]);
  }
}

/// K(X, X) V: each pair of tiles is evaluated once and applied to its rows and to its columns.
template <class T>
void product_symmetric(const Kernel& kernel, const Points& X, MatrixView<const T> V, MatrixView<T> out) {
  require_shapes(X, X, V, out);
  if (out.empty()) return;
  const Index n = X.size(), vectors = V.cols(), step = tile_step(n);
  const GramTiles<T> tiles(kernel, rows_of<T>(X, "X"));
  const RowVectors<T> by_row(V, step);
  const ColumnVectors<T> by_column(V, step);
  BlockSums sums(n, vectors, step);
  Scratch<T> scratch(vectors);

  const auto visit = [&](Index row_tile, Index col_tile, int worker, BlockSums& into) {
    if (worker == 0) poll_stop();
    const Index row = row_tile * step, col = col_tile * step;
    const Index height = std::min(step, n - row), width = std::min(step, n - col);
    T* tile = scratch.tile(worker);
    tiles.evaluate(row, height, col, width, tile);
    isa::ApplyJob<T> job{tile, tiles.whole_rows(height), tiles.whole_cols(width), vectors, step, by_row.tile(row_tile), nullptr};
    accumulate(tiles.ops().apply_to_columns, job, scratch.sums(worker), into.tile(col_tile));
    if (row_tile == col_tile) return;
    job.V = by_column.tile(col_tile);
    accumulate(tiles.ops().apply_to_rows, job, scratch.sums(worker), into.tile(row_tile));
  };
  sum_over_pairs(static_cast<double>(step * step) * seconds_per_entry(tiles, vectors), sums, visit);
  sums.write(out, step);
}

/// K(X, Y) V: a tile holds k(y_j, x_i) with i along the vectors of the processor, and j is summed in order.
template <class T>
void product_cross(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const T> V, MatrixView<T> out) {
  require_same_dimension(X, Y);
  require_shapes(X, Y, V, out);
  if (out.empty()) return;
  const Index n = X.size(), m = Y.size(), vectors = V.cols(), step = tile_step(m);
  const MatrixView<const T> x = rows_of<T>(X, "X"), y = rows_of<T>(Y, "Y");
  const GramTiles<T> tiles(kernel, y, "Y", x, "X", mean_of_rows(y));
  const RowVectors<T> by_row(V, step);
  BlockSums sums(n, vectors, step);
  Scratch<T> scratch(vectors);

  const double seconds = static_cast<double>(std::min(step, n)) * static_cast<double>(m) * seconds_per_entry(tiles, vectors);
  parallel_for(count_pieces(n, step), seconds, [&](Index block, int worker) {
    const Index col = block * step, width = std::min(step, n - col);
    T* tile = scratch.tile(worker);
    for (Index j = 0; j < count_pieces(m, step); ++j) {
      const Index height = std::min(step, m - j * step);
      tiles.evaluate(j * step, height, col, width, tile);
      const isa::ApplyJob<T> job{tile, tiles.whole_rows(height), tiles.whole_cols(width), vectors, step, by_row.tile(j), nullptr};
      accumulate(tiles.ops().apply_to_columns, job, scratch.sums(worker), sums.tile(block));
      if (worker == 0) poll_stop();
    }
  });
  sums.write(out, step);
}

}  // namespace

void product(const Kernel& kernel, const Points& X, MatrixView<const double> V, MatrixView<double> out) {
  product_symmetric(kernel, X, V, out);
}
void product(const Kernel& kernel, const Points& X, MatrixView<const float> V, MatrixView<float> out) {
  product_symmetric(kernel, X, V, out);
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) {
  product_cross(kernel, X, Y, V, out);
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const float> V, MatrixView<float> out) {
  product_cross(kernel, X, Y, V, out);
}

}  // namespace gramian
