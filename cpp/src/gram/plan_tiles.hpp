// SPDX-License-Identifier: BSD-3-Clause
// The points of a plan and the tiles that are kept of them: what siblings share.
#pragma once

#include <optional>

#include "gram/kept_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

struct PlanTiles {
  /// Points that stay.
  PlanTiles(const Kernel& kernel, const PairSource<double>& source, TileStorage storage);
  /// Points that move.
  PlanTiles(const Kernel& kernel, Index size, Index dimension, TileStorage storage);

  void move_to(MatrixView<const double> X);
  KeptTiles* kept_or_null() { return kept ? &*kept : nullptr; }
  /// Of the points, which leaves may see images of.
  Index dimension() const {
    return tiles.images() == nullptr ? tiles.source().dimension() : tiles.images()->points().dimension();
  }

  Matrix positions;  // of points that move
  bool moves;
  bool placed;
  KernelTiles<double> tiles;
  std::optional<KeptTiles> kept;

 private:
  void make_room(TileStorage storage);
};

}  // namespace gramian
