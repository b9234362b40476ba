// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix of a kernel that changes from one evaluation to the next: in tiles that a factorization is made from and that
// its own reverse reads again.
#pragma once

#include <optional>
#include <vector>

#include "gram/gradient_tiles.hpp"
#include "gram/kept_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gram/pair_schedule.hpp"
#include "gramian/gram/adjoint.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {

/// K = k(X, X) in float64: 4 n^2 bytes. Workspaces stay from one evaluation to the next; the same bits for any number of threads.
class LearnedGram {
 public:
  /// Evaluates K, of which only the first `columns` columns are wanted, and with them as many rows. The points must outlive what
  /// follows. Throws std::invalid_argument if a kernel value is not finite.
  void evaluate(const Kernel& kernel, const Points& points, Index columns);

  Index size() const { return tiles_->rows(); }
  double diagonal(Index i) const { return tiles_->diagonal()[static_cast<std::size_t>(i)]; }
  const double* tile(Index row_tile, Index col_tile) { return kept_->tile(row_tile, col_tile); }
  Index step() const { return step_; }

  /// out = K V for V: n x r, zero where both the row and the column are beyond those that are wanted.
  void product(MatrixView<const double> V, MatrixView<double> out);

  /// As gramian::adjoint() for Kbar = P Q^T, with rows of Q of zeros beyond the columns that are wanted.
  std::vector<double> adjoint(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar);

 private:
  struct Visit {
    TileBlock block;
    Index row_tile;
    Index col_tile;
    int worker;
    BlockSums& sums;
  };

  /// A kernel whose derivative in s is the value times a number: a Gaussian, or a multiple of one.
  bool weighed() const;
  bool wanted(Index col_tile) const { return col_tile * step_ < columns_; }
  Index tile_count() const { return count_pieces(size(), step_); }
  TileBlock block_of(Index row_tile, Index col_tile) const;
  void make_scratch();
  double pair_entries() const { return static_cast<double>(step_ * step_); }
  template <class Each>
  void sweep(double seconds, Index tile_numbers, Each each);

  void take_points();
  void reverse_weighed(const Visit& visit);
  std::vector<double> weighed_parameters() const;

  std::optional<Kernel> kernel_;
  std::optional<Points> points_;
  std::optional<KernelTiles<double>> tiles_;
  std::optional<KeptTiles> kept_;
  Index kept_size_ = -1;
  Index step_ = 0;
  Index columns_ = 0;
  std::optional<TileScratch<double>> scratch_;
  int workers_ = 0;
  Index scratch_tiles_ = 0, scratch_numbers_ = 0;
  GradientTiles<double> gradient_;
  RowVectors<double> by_row_;
  ColumnVectors<double> by_column_;
  // The points around the kernel's centre: blocks of up to block_width coordinates, each a row for every point.
  Buffer<double> centred_;
  std::vector<double> ones_;
  BlockSums sums_;
  PieceSums parts_;
};

}  // namespace gramian
