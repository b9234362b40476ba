// SPDX-License-Identifier: BSD-3-Clause
// The walk over the tiles of a Gram matrix that every operation of this layer is: which tiles meet, in which order, what is kept
// of them for the next walk. adjoint_sweep.hpp and along_sweep.hpp add the operations that flow back.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "gram/kept_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gram/pair_schedule.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {

/// A pair of tiles that a sweep visits.
struct TileVisit {
  TileBlock block;
  Index row_tile;  ///< of the sums
  Index col_tile;  ///< of the sums: those of a second set come after those of the first
  bool diagonal;   ///< the same points on both sides: every pair is there twice, and once is enough
  int worker;
  BlockSums* sums;  ///< null without sums
};

template <class T>
class Sweep {
 public:
  Sweep() = default;
  /// The tiles, and what is kept of them (or null), must outlive this or the next bind().
  explicit Sweep(const KernelTiles<T>& tiles, KeptTiles* kept = nullptr) { bind(tiles, kept); }

  /// Another kernel or other points; workspaces stay.
  void bind(const KernelTiles<T>& tiles, KeptTiles* kept);
  /// Tiles of another size than tile_step() says.
  void set_step(Index step) { step_ = step; }

  const KernelTiles<T>& tiles() const { return *tiles_; }
  const PairSource<T>& source() const { return tiles_->source(); }
  Index step() const { return step_; }
  Index row_tiles() const { return count_pieces(tiles_->rows(), step_); }
  Index col_tiles() const { return count_pieces(tiles_->cols(), step_); }
  Index pair_count() const { return source().same() ? row_tiles() * (row_tiles() + 1) / 2 : row_tiles() * col_tiles(); }

  /// Calls each(visit, tile) with the values of every tile, in parallel; extra() has room for so many numbers then.
  template <class Each>
  void evaluate(Index extra_numbers, Each each);

  /// Evaluates the kept tiles unless they are filled.
  void keep();
  /// Evaluates those anew that begin in the first `columns` columns. The sweeps that follow read these and leave out all others.
  void keep_anew(Index columns);

  /// out = K V for one set of points: each pair of tiles is evaluated once and applied to its rows and to its columns.
  void product(MatrixView<const T> V, MatrixView<T> out);
  /// For two sets: of_rows = K V and of_cols = Kᵀ U, each entry evaluated once.
  void product_both(MatrixView<const T> U, MatrixView<const T> V, MatrixView<double> of_rows, MatrixView<double> of_cols);
  /// For two sets out = Kᵀ V, over the rows of K, or K V.
  template <bool over_rows>
  void product_over(MatrixView<const T> V, MatrixView<T> out);

  T* scratch(int worker, Index tile) { return scratch_ + worker * worker_numbers_ + tile * tile_numbers; }
  T* extra(int worker) { return scratch(worker, scratch_tiles_); }
  /// The values of a tile, in the first scratch tile or where they are kept. Those behind it are used up if they are evaluated.
  const T* values(const TileVisit& visit);

  /// What a sweep needs beside its source.
  struct Needs {
    double seconds;       ///< for a pair of tiles
    Index sums;           ///< numbers of a tile of points
    Index scratch_tiles;  ///< of a worker, with the first one
    Index extra_numbers;
    bool values;  ///< values() is called for every tile
  };
  /// Calls each(visit) for all tiles; sums() holds all sums afterwards.
  template <class Each>
  void sum(const Needs& needs, Each each);
  const BlockSums& sums() const { return sums_; }

  /// Adds what a tile makes of vectors to the sums of its rows and columns that begin at `offset`. The block lies in that of the
  /// visit.
  void apply(const TileVisit& visit, const TileBlock& block, const T* tile, const PairVectors<T>& rows,
             const PairVectors<T>& cols, Index offset);

  /// A rough cost of a pair of tiles with so many vectors.
  double seconds_per_pair(Index vectors) const;

 protected:
  /// Extra numbers that apply() needs.
  Index room_for(Index vectors) const { return std::is_same_v<T, double> ? 0 : 2 * vectors * step_; }

 private:
  TileVisit visit_of(TilePair pair, int worker, BlockSums* sums) const;
  bool wanted(const TileVisit& visit) const { return visit.block.col < columns_; }
  /// Scratch for a loop of so many seconds, and memory for sums.
  double* take_room(Index scratch_tiles, Index extra_numbers, double seconds, Index sums);

  const KernelTiles<T>* tiles_ = nullptr;
  KeptTiles* kept_ = nullptr;
  Index step_ = 0;
  Index columns_ = std::numeric_limits<Index>::max();
  bool costs_values_ = true;  // unless keep_anew() came first
  bool reads_ = false;        // the sweep that runs finds its values kept
  BlockSums sums_;
  PieceSums parts_;
  PairVectors<T> vectors_;
  // Scratch of all workers and the sums behind it, in one block: of several that come and go with a single sweep, malloc would
  // give the pages back to the system, and the next sweep would touch fresh ones.
  Buffer<unsigned char> room_;
  T* scratch_ = nullptr;
  Index worker_numbers_ = 0;
  Index scratch_tiles_ = 0;
};

template <class T>
const T* Sweep<T>::values(const TileVisit& visit) {
  T* tile = scratch(visit.worker, 0);
  if constexpr (std::is_same_v<T, double>) {
    if (kept_ != nullptr) tile = kept_->tile(visit.row_tile, visit.col_tile);
  }
  if (!reads_) tiles_->evaluate(visit.block, tile, scratch(visit.worker, 1));
  return tile;
}

template <class T>
TileVisit Sweep<T>::visit_of(TilePair pair, int worker, BlockSums* sums) const {
  constexpr Index tiles_per_poll = 8;  // they are small where there are few
  if (worker == 0 && pair.col % tiles_per_poll == 0) poll_stop();
  const bool same = source().same();
  const Index row = pair.row * step_, col = pair.col * step_;
  const TileBlock block{row, std::min(step_, tiles_->rows() - row), col, std::min(step_, tiles_->cols() - col)};
  return {block, pair.row, same ? pair.col : row_tiles() + pair.col, same && pair.row == pair.col, worker, sums};
}

template <class T>
template <class Each>
void Sweep<T>::evaluate(Index extra_numbers, Each each) {
  const Index pairs = pair_count(), across = col_tiles();
  if (pairs == 0) return;
  KeptTurn turn(kept_);
  reads_ = turn.reads();
  const double entries = static_cast<double>(tiles_->rows()) * static_cast<double>(tiles_->cols());
  const double seconds = (source().same() ? 0.5 : 1.0) * entries * tiles_->seconds_per_entry();
  take_room(1 + tiles_->tree().depth(), extra_numbers, seconds, 0);
  parallel_for(pairs, seconds / static_cast<double>(pairs), [&](Index task, int worker) {
    const TilePair pair = source().same() ? pair_in_triangle(task) : TilePair{task / across, task % across};
    const TileVisit visit = visit_of(pair, worker, nullptr);
    if (wanted(visit)) each(visit, values(visit));
  });
  turn.done();
}

template <class T>
template <class Each>
void Sweep<T>::sum(const Needs& needs, Each each) {
  KeptTurn turn(needs.values ? kept_ : nullptr);
  reads_ = turn.reads();
  const Index pairs = pair_count(), tiles = row_tiles() + (source().same() ? 0 : col_tiles());
  const Index numbers = checked_product(tiles, needs.sums), pieces = count_own_sums(pairs, numbers, needs.seconds);
  const double seconds = needs.seconds * static_cast<double>(pairs);
  double* const memory = take_room(needs.scratch_tiles, needs.extra_numbers, seconds, (1 + pieces) * numbers);
  sums_.clear(tiles, needs.sums, memory);
  parts_.memory = memory + numbers;
  const auto one = [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) {
    const TileVisit visit = visit_of({row_tile, col_tile}, worker, &sums);
    if (wanted(visit)) each(visit);
  };
  if (source().same()) {
    sum_over_pairs(needs.seconds, sums_, parts_, one);
  } else {
    sum_over_grid(row_tiles(), col_tiles(), needs.seconds, sums_, parts_, one);
  }
  turn.done();
}

}  // namespace gramian
