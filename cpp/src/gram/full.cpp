// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/full.hpp"

#include <algorithm>
#include <string>

#include "gram/tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

using isa::tile_size;

/// Results larger than this are written past the cache: they would only push out what the next tile needs.
constexpr Index streaming_bytes = Index(16) << 20;

/// A tile and the rows that a transposition needs, for every worker.
template <class T>
class Scratch {
 public:
  Scratch() : numbers_(checked_product(max_workers(), worker_size)) {}
  T* tile(int worker) { return numbers_.data() + worker * worker_size; }
  T* rows(int worker) { return tile(worker) + tile_size * tile_size; }

 private:
  static constexpr Index worker_size = tile_size * tile_size + tile_size * 64 / static_cast<Index>(sizeof(T));
  Buffer<T> numbers_;
};

/// Tiles on their way into a matrix of any strides.
template <class T>
class Writer {
 public:
  Writer(const isa::Ops<T>& ops, MatrixView<T> K)
      : ops_(ops), K_(K), streaming_(K.rows() * K.cols() * static_cast<Index>(sizeof(T)) > streaming_bytes) {}

  /// K(row + i, col + j) = tile(i, j)
  void write(const T* tile, Index row, Index height, Index col, Index width, T* rows) const {
    T* out = &K_(row, col);
    if (K_.col_stride() == 1) {
      ops_.store({tile, height, width, out, K_.row_stride(), streaming_});
    } else if (K_.row_stride() == 1) {
      ops_.store_transposed({tile, height, width, out, K_.col_stride(), streaming_}, rows);
    } else {
      for (Index i = 0; i < height; ++i) {
        for (Index j = 0; j < width; ++j) K_(row + i, col + j) = tile[i * tile_size + j];
      }
    }
  }

  /// K(col + j, row + i) = tile(i, j)
  void write_transposed(const T* tile, Index row, Index height, Index col, Index width, T* rows) const {
    const MatrixView<T> transposed(K_.data(), K_.cols(), K_.rows(), K_.col_stride(), K_.row_stride());
    Writer(ops_, transposed, streaming_).write(tile, row, height, col, width, rows);
  }

 private:
  Writer(const isa::Ops<T>& ops, MatrixView<T> K, bool streaming) : ops_(ops), K_(K), streaming_(streaming) {}

  const isa::Ops<T>& ops_;
  MatrixView<T> K_;
  bool streaming_;
};

std::string shape(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

template <class T>
void require_shape(MatrixView<T> K, Index rows, Index cols) {
  require(K.rows() == rows && K.cols() == cols, "K is " + shape(K.rows(), K.cols()) + ", it must be " + shape(rows, cols));
}

template <class T>
void full_symmetric(const Kernel& kernel, const Points& X, MatrixView<T> K) {
  const Index n = X.size();
  require_shape(K, n, n);
  const GramTiles<T> tiles(kernel, rows_of<T>(X, "X"));
  const Writer<T> writer(tiles.ops(), K);
  const Index across = count_pieces(n, tile_size), count = across * (across + 1) / 2;
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n) / static_cast<double>(std::max<Index>(count, 1));
  Scratch<T> scratch;
  parallel_for(count, entries * tiles.seconds_per_entry(), [&](Index task, int worker) {
    const TilePair pair = pair_in_triangle(task);
    const Index row = pair.row * tile_size, col = pair.col * tile_size;
    const Index height = std::min(tile_size, n - row), width = std::min(tile_size, n - col);
    T* tile = scratch.tile(worker);
    tiles.evaluate(row, height, col, width, tile);
    writer.write(tile, row, height, col, width, scratch.rows(worker));
    if (row != col) writer.write_transposed(tile, row, height, col, width, scratch.rows(worker));
  });
}

template <class T>
void full_cross(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<T> K) {
  require_same_dimension(X, Y);
  require_shape(K, X.size(), Y.size());
  if (K.empty()) return;
  const MatrixView<const T> x = rows_of<T>(X, "X"), y = rows_of<T>(Y, "Y");
  const GramTiles<T> tiles(kernel, x, "X", y, "Y", mean_of_rows(y));
  const Writer<T> writer(tiles.ops(), K);
  const Index down = count_pieces(X.size(), tile_size), across = count_pieces(Y.size(), tile_size);
  const double entries = static_cast<double>(X.size()) * static_cast<double>(Y.size()) / static_cast<double>(down * across);
  Scratch<T> scratch;
  parallel_for(down * across, entries * tiles.seconds_per_entry(), [&](Index task, int worker) {
    const Index row = task / across * tile_size, col = task % across * tile_size;
    const Index height = std::min(tile_size, X.size() - row), width = std::min(tile_size, Y.size() - col);
    tiles.evaluate(row, height, col, width, scratch.tile(worker));
    writer.write(scratch.tile(worker), row, height, col, width, scratch.rows(worker));
  });
}

}  // namespace

void full(const Kernel& kernel, const Points& X, MatrixView<double> K) { full_symmetric(kernel, X, K); }
void full(const Kernel& kernel, const Points& X, MatrixView<float> K) { full_symmetric(kernel, X, K); }
void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<double> K) { full_cross(kernel, X, Y, K); }
void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<float> K) { full_cross(kernel, X, Y, K); }

}  // namespace gramian
