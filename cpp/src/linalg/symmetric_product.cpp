// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/symmetric_product.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/symmetric_product.hpp"

namespace gramian {
namespace {

using isa::tile_size;

/// Rows of a tile taken at a time: they stay in the first-level cache until their columns have had their turn.
constexpr Index strip_rows = 16;
constexpr Index piece_count = 16;
constexpr double seconds_per_number = 0.3e-9;

/// The rows of a tile are too short for the processor to guess the next ones.
void prefetch(const double* numbers, Index count) {
#if defined(__GNUC__) || defined(__clang__)
  for (Index i = 0; i < count + 8; i += 8) __builtin_prefetch(numbers + i, 0, 2);
#else
  static_cast<void>(numbers);
  static_cast<void>(count);
#endif
}

/// Rows row .. of a tile on the diagonal, without what is right of it, or on it as well.
void keep_left_of_diagonal(double* strip, Index row, bool and_diagonal) {
  for (Index i = 0; i < strip_rows; ++i) {
    const Index kept = row + i + (and_diagonal ? 1 : 0);
    std::fill(strip + i * tile_size + kept, strip + (i + 1) * tile_size, 0.0);
  }
}

}  // namespace

SymmetricProduct::SymmetricProduct(MatrixView<const double> A) : A_(A) {
  require_square(A, "A");
  // The other triangle of the same matrix is the one that lies row by row.
  if (A.col_stride() != 1 && A.row_stride() == 1) A_ = {A.data(), A.cols(), A.rows(), A.col_stride(), A.row_stride()};
  const Index tiles = (A.rows() + tile_size - 1) / tile_size;
  Index first = 0;
  for (Index piece = 1; piece <= piece_count; ++piece) {
    // Rows of a triangle grow: equal areas end at square roots.
    const Index last = piece == piece_count
                           ? tiles
                           : static_cast<Index>(std::sqrt(static_cast<double>(piece) / piece_count) * static_cast<double>(tiles));
    if (last > first) pieces_.push_back({first, last, {}});
    first = std::max(first, last);
  }
}

void SymmetricProduct::prepare(Index vectors) {
  const Index workers = max_workers();
  if (strips_.size() < workers * strip_rows * tile_size)
    strips_ = Buffer<double>(checked_product(workers, strip_rows * tile_size));
  if (vectors == vectors_) return;
  vectors_ = vectors;
  const Index tile_numbers = checked_product(vectors, tile_size);
  by_column_ = ColumnBlocks(A_.rows(), vectors);
  by_row_ = Buffer<double>(checked_product(by_column_.blocks(), tile_numbers));
  std::fill_n(by_row_.data(), by_row_.size(), 0.0);
  for (Piece& piece : pieces_) piece.sums = Buffer<double>(checked_product(piece.last, tile_numbers));
}

void SymmetricProduct::read_strip(Index row, Index col, double* strip) const {
  const Index n = A_.rows(), height = std::min(strip_rows, n - row), width = std::min(tile_size, n - col);
  for (Index i = 0; i < height; ++i) {
    double* out = strip + i * tile_size;
    if (A_.col_stride() == 1) {
      if (row + i + strip_rows < n) prefetch(&A_(row + i + strip_rows, col), width);
      std::copy_n(&A_(row + i, col), width, out);
    } else {
      for (Index j = 0; j < width; ++j) out[j] = A_(row + i, col + j);
    }
    std::fill(out + width, out + tile_size, 0.0);
  }
  std::fill(strip + height * tile_size, strip + strip_rows * tile_size, 0.0);
}

void SymmetricProduct::run(Piece& piece, int worker) {
  const isa::Ops<double>& ops = isa::ops<double>();
  const Index n = A_.rows(), tile_numbers = vectors_ * tile_size;
  double* strip = strips_.data() + worker * strip_rows * tile_size;
  std::fill_n(piece.sums.data(), piece.sums.size(), 0.0);
  for (Index i = piece.first; i < piece.last; ++i) {
    for (Index j = 0; j <= i; ++j) {
      for (Index row = 0; row < tile_size && i * tile_size + row < n; row += strip_rows) {
        read_strip(i * tile_size + row, j * tile_size, strip);
        double* row_sums = piece.sums.data() + i * tile_numbers + row;
        double* column_sums = piece.sums.data() + j * tile_numbers;
        const double* rows_of_V = by_row_.data() + i * tile_numbers + row * vectors_;
        // On the diagonal the entries left of it are rows here and columns there, each once.
        if (i == j) keep_left_of_diagonal(strip, row, true);
        ops.apply_to_rows({strip, strip_rows, tile_size, vectors_, tile_size, by_column_.column(j, 0), row_sums});
        if (i == j) keep_left_of_diagonal(strip, row, false);
        ops.apply_to_columns({strip, strip_rows, tile_size, vectors_, tile_size, rows_of_V, column_sums});
      }
    }
  }
}

void SymmetricProduct::operator()(MatrixView<const double> V, MatrixView<double> out) {
  const Index n = A_.rows();
  require_rows(V.rows(), V.cols(), n, "V");
  require_shape(out, n, V.cols(), "out");
  if (V.empty()) return;
  prepare(V.cols());
  const double block_seconds = seconds_per_number * static_cast<double>(tile_size * vectors_);
  by_column_.read(V);
  parallel_for(by_column_.blocks(), block_seconds, [&](Index t, int) {
    double* to = by_row_.data() + t * tile_size * vectors_;
    for (Index i = 0; i < by_column_.height(t); ++i) {
      for (Index c = 0; c < vectors_; ++c) *to++ = V(t * tile_size + i, c);
    }
  });
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n);
  const double seconds = entries * (0.2e-9 + 0.03e-9 * static_cast<double>(vectors_));
  parallel_for(static_cast<Index>(pieces_.size()), seconds / static_cast<double>(pieces_.size()),
               [&](Index piece, int worker) { run(pieces_[static_cast<std::size_t>(piece)], worker); });
  // The sums take the place of V, in the order of the pieces.
  parallel_for(by_column_.blocks(), piece_count * block_seconds, [&](Index t, int) {
    double* total = by_column_.column(t, 0);
    std::fill_n(total, tile_size * vectors_, 0.0);
    for (const Piece& piece : pieces_) {
      if (piece.last <= t) continue;
      const double* part = piece.sums.data() + t * tile_size * vectors_;
      for (Index i = 0; i < tile_size * vectors_; ++i) total[i] += part[i];
    }
  });
  by_column_.write(out);
}

void symmetric_product(MatrixView<const double> A, MatrixView<const double> V, MatrixView<double> out) {
  SymmetricProduct{A}(V, out);
}

}  // namespace gramian
