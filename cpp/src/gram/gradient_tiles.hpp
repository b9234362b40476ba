// SPDX-License-Identifier: BSD-3-Clause
// Kbar as something that gives its tiles.
#pragma once

#include "gram/packing.hpp"
#include "gram/tile_block.hpp"
#include "gramian/gram/adjoint.hpp"
#include "isa/dispatch.hpp"

namespace gramian {

template <class T>
class GradientTiles {
 public:
  GradientTiles() = default;
  GradientTiles(const GramGradient<T>& Kbar, Index rows, Index cols, bool symmetric) { assign(Kbar, rows, cols, symmetric); }

  /// Tiles of Kbar (n x m), or of Kbar + Kbar^T if `symmetric`: what a pair of points counts for that is visited once.
  /// Throws std::invalid_argument for a wrong shape or an entry that is not finite.
  void assign(const GramGradient<T>& Kbar, Index rows, Index cols, bool symmetric);

  /// Whole panels are written; there are zeros beyond the matrix.
  void evaluate(const TileBlock& block, T* tile) const;

  /// The tile times another one, entry by entry. Of products P Q^T only.
  void weigh(const TileBlock& block, const T* factors, T* tile) const { ops_.weigh(tile_job(block, factors, tile)); }

 private:
  isa::TileJob<T> tile_job(const TileBlock& block, const T* factors, T* tile) const;
  T dense_entry(Index i, Index j) const { return symmetric_ ? dense_(i, j) + dense_(j, i) : dense_(i, j); }

  const isa::Ops<T>& ops_ = isa::ops<T>();
  bool symmetric_ = false;
  bool packed_ = false;
  MatrixView<const T> dense_;
  Index rank_ = 0;
  Packed<T> rows_, cols_;
};

}  // namespace gramian
