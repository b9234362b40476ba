// SPDX-License-Identifier: BSD-3-Clause
#include "gram/plan_tiles.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "gramian/base/memory.hpp"

namespace gramian {

PlanTiles::PlanTiles(const Kernel& expression, const PairSource<double>& source, TileStorage storage)
    : kernel(expression), moves(false), placed(true), tiles(kernel, source), step(tile_step(source.rows())) {
  make_room(storage);
}

PlanTiles::PlanTiles(const Kernel& expression, Index size, Index dimension, TileStorage storage)
    : kernel(expression),
      positions(Matrix::filled(size, dimension, 0.0)),
      moves(true),
      placed(false),
      tiles(kernel, PairSource<double>(Points(std::as_const(positions).view()))),
      step(tile_step(size)) {
  make_room(storage);
}

void PlanTiles::make_room(TileStorage storage) {
  if (storage == TileStorage::recompute) return;
  const Index n = tiles.rows();
  require_memory(static_cast<std::uint64_t>(KeptTiles::bytes(n)), "the kept tiles of a Gram matrix",
                 "TileStorage::recompute needs none");
  kept.emplace(count_pieces(n, step), step);
}

void PlanTiles::move_to(MatrixView<const double> X) {
  placed = false;
  filled = false;
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

KeptTurn::KeptTurn(PlanTiles& shared) : shared_(shared) {
  if (!shared.kept) return;
  if (!shared.filled.load(std::memory_order_acquire)) {
    lock_ = std::unique_lock<std::mutex>(shared.filling);
    if (!shared.filled.load(std::memory_order_relaxed)) return;
    lock_.unlock();  // somebody else has filled them meanwhile
  }
  reads_ = true;
}

void KeptTurn::done() {
  if (lock_.owns_lock()) shared_.filled.store(true, std::memory_order_release);
}

}  // namespace gramian
