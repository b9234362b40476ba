// SPDX-License-Identifier: BSD-3-Clause
// The points of a plan and the tiles that are kept of them: what siblings share.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "gram/kept_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/plan.hpp"

namespace gramian {

struct PlanTiles {
  /// Points that stay.
  PlanTiles(const Kernel& expression, const PairSource<double>& source, TileStorage storage);
  /// Points that move.
  PlanTiles(const Kernel& expression, Index size, Index dimension, TileStorage storage);

  void move_to(MatrixView<const double> X);

  Kernel kernel;
  Matrix positions;  // of points that move
  bool moves;
  bool placed;
  KernelTiles<double> tiles;
  Index step;
  std::optional<KeptTiles> kept;
  std::atomic<bool> filled{false};  // kept holds the values of these positions
  std::mutex filling;

 private:
  void make_room(TileStorage storage);
};

/// A sweep's turn with the kept tiles: once they are filled all may read them, before that one sweep has them to itself.
class KeptTurn {
 public:
  explicit KeptTurn(PlanTiles& shared);
  KeptTurn(const KeptTurn&) = delete;
  KeptTurn& operator=(const KeptTurn&) = delete;

  bool reads() const { return reads_; }
  /// The sweep has evaluated every tile. Without this they count as empty.
  void done();

 private:
  PlanTiles& shared_;
  std::unique_lock<std::mutex> lock_;
  bool reads_ = false;
};

}  // namespace gramian
