// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/full.hpp"

#include <string>

#include "base/check.hpp"
#include "gram/finite.hpp"
#include "gram/sweep.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

using isa::tile_size;

/// Results larger than this are written past the cache: they would only push out what the next tile needs.
constexpr Index streaming_bytes = Index(16) << 20;

/// Tiles on their way into a matrix of any strides.
template <class T>
class Writer {
 public:
  Writer(const isa::Ops<T>& ops, MatrixView<T> K)
      : ops_(ops), K_(K), streaming_(K.rows() * K.cols() * static_cast<Index>(sizeof(T)) > streaming_bytes) {}

  /// K(row + i, col + j) = tile(i, j)
  void write(const T* tile, const TileBlock& block, T* rows) const {
    const auto [row, height, col, width] = block;
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
  void write_transposed(const T* tile, const TileBlock& block, T* rows) const {
    const MatrixView<T> transposed(K_.data(), K_.cols(), K_.rows(), K_.col_stride(), K_.row_stride());
    Writer(ops_, transposed, streaming_).write(tile, block, rows);
  }

 private:
  Writer(const isa::Ops<T>& ops, MatrixView<T> K, bool streaming) : ops_(ops), K_(K), streaming_(streaming) {}

  const isa::Ops<T>& ops_;
  MatrixView<T> K_;
  bool streaming_;
};

/// Numbers that store_transposed wants.
template <class T>
constexpr Index transposition = tile_size * 64 / static_cast<Index>(sizeof(T));

/// Of one set each pair of tiles is evaluated once and written twice.
template <class T>
void full_of(const Kernel& kernel, const PairSource<T>& source, MatrixView<T> K) {
  const KernelTiles<T> tiles(kernel, source);
  require_shape(K, tiles.rows(), tiles.cols(), "the result");
  const Writer<T> writer(tiles.ops(), K);
  Sweep<T> sweep(tiles);
  sweep.set_step(tile_size);  // nothing is summed, and long rows are written at once
  sweep.evaluate(transposition<T>, [&](const TileVisit& visit, const T* tile) {
    T* rows = sweep.extra(visit.worker);
    writer.write(tile, visit.block, rows);
    if (source.same() && !visit.diagonal) writer.write_transposed(tile, visit.block, rows);
  });
}

template <class T>
void diagonal_of(const Kernel& kernel, const PairSource<T>& source, MatrixView<T> out) {
  require(source.same(), "a diagonal is that of one set of points, and there are two");
  require_shape(out, source.rows(), 1, "the result");
  const KernelTiles<T> tiles(kernel, source);
  for (Index i = 0; i < out.rows(); ++i) out(i, 0) = tiles.diagonal()[static_cast<std::size_t>(i)];
  require_finite(out);
}

}  // namespace

void full(const Kernel& kernel, const Points& X, MatrixView<double> K) { full_of(kernel, PairSource<double>(X), K); }
void full(const Kernel& kernel, const Points& X, MatrixView<float> K) { full_of(kernel, PairSource<float>(X), K); }
void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<double> K) {
  full_of(kernel, PairSource<double>(X, Y), K);
}
void full(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<float> K) {
  full_of(kernel, PairSource<float>(X, Y), K);
}
void full(const Kernel& kernel, const InnerProducts<double>& XY, MatrixView<double> K) {
  full_of(kernel, PairSource<double>(XY), K);
}
void full(const Kernel& kernel, const InnerProducts<float>& XY, MatrixView<float> K) {
  full_of(kernel, PairSource<float>(XY), K);
}

void diagonal(const Kernel& kernel, const Points& X, MatrixView<double> out) { diagonal_of(kernel, PairSource<double>(X), out); }
void diagonal(const Kernel& kernel, const Points& X, MatrixView<float> out) { diagonal_of(kernel, PairSource<float>(X), out); }
void diagonal(const Kernel& kernel, const InnerProducts<double>& XX, MatrixView<double> out) {
  diagonal_of(kernel, PairSource<double>(XX), out);
}
void diagonal(const Kernel& kernel, const InnerProducts<float>& XX, MatrixView<float> out) {
  diagonal_of(kernel, PairSource<float>(XX), out);
}

}  // namespace gramian
