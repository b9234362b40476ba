// SPDX-License-Identifier: BSD-3-Clause
#include "gram/plan_tiles.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "base/pieces.hpp"
#include "gramian/base/memory.hpp"

namespace gramian {

PlanTiles::PlanTiles(const Kernel& kernel, const PairSource<double>& source, TileStorage storage)
    : moves(false), placed(true), tiles(kernel, source) {
  make_room(storage);
}

PlanTiles::PlanTiles(const Kernel& kernel, Index size, Index dimension, TileStorage storage)
    : positions(Matrix::filled(size, dimension, 0.0)),
      moves(true),
      placed(false),
      tiles(kernel, PairSource<double>(Points(std::as_const(positions).view()))) {
  make_room(storage);
}

void PlanTiles::make_room(TileStorage storage) {
  if (storage == TileStorage::recompute) return;
  const Index n = tiles.rows();
  require_memory(static_cast<std::uint64_t>(KeptTiles::bytes(n)), "the kept tiles of a Gram matrix",
                 "TileStorage::recompute needs none");
  kept.emplace(n);
}

void PlanTiles::move_to(MatrixView<const double> X) {
  placed = false;
  if (kept) kept->forget();
  for (Index i = 0; i < X.rows(); ++i) {
    double gone = 0.0;  // x - x is 0 for a finite x and NaN for every other
    for (Index k = 0; k < X.cols(); ++k) {
      positions(i, k) = X(i, k);
      gone += X(i, k) - X(i, k);
    }
    // Seen before the mean is taken, which would spread it over all rows.
    if (gone != 0.0) throw std::invalid_argument("X has a coordinate in row " + std::to_string(i) + " that is not finite");
  }
  tiles.update();
  placed = true;
}

}  // namespace gramian
