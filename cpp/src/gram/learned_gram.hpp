// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix of a kernel that changes from one evaluation to the next: in tiles that a factorization is made from and that
// its own adjoint reads again.
#pragma once

#include <memory>
#include <vector>

#include "gram/adjoint_sweep.hpp"

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
  Index step() const { return sweep_.step(); }

  /// out = K V for V: n x r, zero where both the row and the column are beyond those that are wanted.
  void product(MatrixView<const double> V, MatrixView<double> out) { sweep_.product(V, out); }

  /// As gramian::adjoint() for Kbar = P Q^T, with rows of Q of zeros beyond the columns that are wanted.
  std::vector<double> adjoint(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar);

 private:
  /// A kernel whose derivative in s is the value times a number: a Gaussian, or a multiple of one.
  bool weighed() const;
  Index dimension() const { return tiles_->source().dimension(); }
  void take_points();
  void visit_weighed(const TileVisit& visit);
  std::vector<double> weighed_parameters() const;

  std::unique_ptr<KernelTiles<double>> tiles_;
  std::unique_ptr<KeptTiles> kept_;
  AdjointSweep<double> sweep_;
  GradientTiles<double> gradient_;
  // The points around the kernel's centre: blocks of up to block_width coordinates, each a row for every point.
  Buffer<double> centred_;
  PairVectors<double> ones_;
};

}  // namespace gramian
