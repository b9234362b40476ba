// SPDX-License-Identifier: BSD-3-Clause
// The tiles of a lower triangle, in memory from one sweep to the next.
#pragma once

#include <atomic>
#include <mutex>

#include "gram/tile_block.hpp"
#include "base/workspace.hpp"
#include "gramian/gram/plan.hpp"

namespace gramian {

/// Rows of a tile are isa::tile_size numbers apart, whatever its width: tiles that are narrower stand side by side.
class KeptTiles {
 public:
  explicit KeptTiles(Index n) : size_(n), step_(tile_step(n)) {
    const Index across = count_pieces(n, step_), tiles = across * (across + 1) / 2;
    numbers_ = Buffer<double>(count_pieces(tiles, isa::tile_size / step_) * step_ * isa::tile_size);
  }

  /// Bytes for n points.
  static double bytes(Index n) {
    const Index step = tile_step(n);
    const double tiles = static_cast<double>(count_pieces(n, step));
    return tiles * (tiles + 1.0) / 2.0 * static_cast<double>(step * step) * static_cast<double>(sizeof(double));
  }

  Index size() const { return size_; }
  GramTiles view() const { return {numbers_.data(), step_, isa::tile_size}; }
  double* tile(Index row_tile, Index col_tile) { return const_cast<double*>(view().tile(row_tile, col_tile)); }

  /// The points or the kernel have changed.
  void forget() { filled_ = false; }

 private:
  friend class KeptTurn;
  Index size_;
  Index step_;
  Buffer<double> numbers_;
  std::atomic<bool> filled_{false};
  std::mutex filling_;
};

/// A sweep's turn with tiles that several may share: once they are filled all may read them, before that one sweep has them to
/// itself.
class KeptTurn {
 public:
  /// Null: nothing is kept.
  explicit KeptTurn(KeptTiles* kept) : kept_(kept) {
    if (kept == nullptr) return;
    if (!kept->filled_.load(std::memory_order_acquire)) {
      lock_ = std::unique_lock<std::mutex>(kept->filling_);
      if (!kept->filled_.load(std::memory_order_relaxed)) return;
      lock_.unlock();  // somebody else has filled them meanwhile
    }
    reads_ = true;
  }

  bool reads() const { return reads_; }

  /// The sweep has evaluated every tile. Without this they count as empty.
  void done() {
    if (lock_.owns_lock()) kept_->filled_.store(true, std::memory_order_release);
  }

 private:
  KeptTiles* kept_;
  std::unique_lock<std::mutex> lock_;
  bool reads_ = false;
};

}  // namespace gramian
