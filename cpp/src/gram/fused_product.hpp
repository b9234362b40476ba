// SPDX-License-Identifier: BSD-3-Clause
// Kᵀ W (K V - Y) for points and centres, where each value of K is used for both products while it is in the cache.
#pragma once

#include <vector>

#include "gram/block_vectors.hpp"
#include "gram/centre_tiles.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// Rows arrive in chunks. A chunk is cut into pieces of a fixed size; piece p of all chunks has sums of its own, and these are
/// added in the end: the order of all additions depends on the shapes only.
template <class T>
class FusedProduct {
 public:
  /// rows: of all chunks together. Throws std::invalid_argument if an entry of C is not finite.
  FusedProduct(const Kernel& kernel, MatrixView<const T> C, MatrixView<const double> V, Index rows);

  /// Rows of each chunk but the last one.
  Index chunk_rows() const { return pieces_ * piece_rows_; }
  /// Weights and targets of these rows, or empty. Throws std::invalid_argument naming X and the row, of which the first is called
  /// `first_row`, or if a kernel value is not finite.
  void add(MatrixView<const T> X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row);
  void write(MatrixView<double> out) const;

 private:
  /// Memory of a worker.
  struct Room {
    typename CentreTiles<T>::PackedRows points{};
    Buffer<T> values{};         // of a block of rows with all centres: tile behind tile
    Buffer<T> scratch{};        // of the evaluation of a tile
    Buffer<T> tile_sums{};      // of the rows of one tile, in float32
    Buffer<T> centre_sums{};    // of all centres, in float32
    Buffer<T> residual{};       // W (K V - Y) of the block, row-major
    Buffer<double> row_sums{};  // K V of the block
  };
  void prepare(Room& room) const;
  static Index block_rows_for(Index centres);
  Index rows_of_piece(Index dimension, Index rows) const;
  void add_block(MatrixView<const T> X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row, Room& room,
                 double* sums) const;
  void multiply(Index rows, Room& room) const;
  void residual_of(Index rows, MatrixView<const double> weights, MatrixView<const double> Y, Room& room) const;
  double* sums_of(Index piece) { return sums_.data() + piece * tiles_.tiles() * tile_sums_; }

  CentreTiles<T> tiles_;
  Index vectors_;
  Index tile_sums_;   // numbers of the sums of a tile of centres
  Index block_rows_;  // that are evaluated together
  Index pieces_;
  Index piece_rows_;
  ColumnVectors<T> V_;
  std::vector<Room> rooms_;
  Buffer<double> sums_;
};

}  // namespace gramian
