// SPDX-License-Identifier: BSD-3-Clause
// Kbar as something that gives its tiles.
#pragma once

#include <optional>

#include "gram/packing.hpp"
#include "gram/tile_block.hpp"
#include "gramian/gram/adjoint.hpp"
#include "isa/dispatch.hpp"

namespace gramian {

template <class T>
class GradientTiles {
 public:
  /// Tiles of Kbar (n x m), or of Kbar + Kbar^T if `symmetric`: what a pair of points counts for that is visited once.
  /// Throws std::invalid_argument for a wrong shape or an entry that is not finite.
  GradientTiles(const GramGradient<T>& Kbar, Index rows, Index cols, bool symmetric);

  /// Whole panels are written; there are zeros beyond the matrix.
  void evaluate(const TileBlock& block, T* tile) const;

 private:
  void pack(MatrixView<const T> P, MatrixView<const T> Q, bool symmetric);
  T dense_entry(Index i, Index j) const { return symmetric_ ? dense_(i, j) + dense_(j, i) : dense_(i, j); }

  const isa::Ops<T>& ops_;
  bool symmetric_;
  MatrixView<const T> dense_;
  Index rank_ = 0;
  std::optional<Packed<T>> rows_, cols_;
};

}  // namespace gramian
