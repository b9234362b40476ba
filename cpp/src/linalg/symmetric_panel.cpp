// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/symmetric_panel.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

static_assert(panel_vectors == isa::symmetric_vectors);

constexpr Index strip_rows = 32;
constexpr Index tile_columns = isa::tile_size;  // their vectors and sums stay in the first-level cache
constexpr Index piece_count = 8;
constexpr double seconds_per_entry = 0.3e-9;

/// Strips [first, last) with sums for all rows before the end of `last`.
struct Piece {
  Index first;
  Index last;
};

/// Areas of about the same size: rows of a triangle grow.
Piece piece_at(Index index, Index strips) {
  const auto end = [&](Index piece) {
    return static_cast<Index>(std::sqrt(static_cast<double>(piece) / piece_count) * static_cast<double>(strips));
  };
  return {end(index), index + 1 == piece_count ? strips : end(index + 1)};
}

/// What a strip has on the diagonal: entries left of it are rows here and columns there, each once.
void add_diagonal(MatrixView<const double> A, Index row, Index rows, const double* V, double* sums) {
  double left[strip_rows * strip_rows];
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < rows; ++j) left[i * strip_rows + j] = j < i ? A(row + i, row + j) : 0.0;
  }
  const double* x = V + row * panel_vectors;
  double* out = sums + row * panel_vectors;
  for (Index i = 0; i < rows; ++i) {
    const double entry = A(row + i, row + i);
    for (Index c = 0; c < panel_vectors; ++c) out[i * panel_vectors + c] += entry * x[i * panel_vectors + c];
  }
  dense_ops().symmetric_block({left, strip_rows, rows, rows, x, x, out, out});
}

void run(MatrixView<const double> A, const Piece& piece, const double* V, double* sums) {
  for (Index strip = piece.first; strip < piece.last; ++strip) {
    const Index row = strip * strip_rows, rows = std::min(strip_rows, A.rows() - row);
    for (Index col = 0; col < row; col += tile_columns) {
      const Index columns = std::min(tile_columns, row - col);
      dense_ops().symmetric_block({&A(row, col), A.row_stride(), rows, columns, V + row * panel_vectors, V + col * panel_vectors,
                                   sums + row * panel_vectors, sums + col * panel_vectors});
    }
    add_diagonal(A, row, rows, V, sums);
  }
}

}  // namespace

void symmetric_times_panel(MatrixView<const double> A, const double* V, double* out) {
  const Index n = A.rows(), strips = (n + strip_rows - 1) / strip_rows, length = n * panel_vectors;
  Buffer<double> sums(checked_product(piece_count, length));
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n);
  parallel_for(piece_count, seconds_per_entry * entries / piece_count, [&](Index index, int) {
    const Piece piece = piece_at(index, strips);
    double* own = sums.data() + index * length;
    std::fill_n(own, std::min(piece.last * strip_rows, n) * panel_vectors, 0.0);
    run(A, piece, V, own);
  });
  std::fill_n(out, length, 0.0);
  for (Index index = 0; index < piece_count; ++index) {
    const Index count = std::min(piece_at(index, strips).last * strip_rows, n) * panel_vectors;
    const double* own = sums.data() + index * length;
    for (Index i = 0; i < count; ++i) out[i] += own[i];
  }
}

}  // namespace gramian
