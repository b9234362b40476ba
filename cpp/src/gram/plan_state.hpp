// SPDX-License-Identifier: BSD-3-Clause
// What a GramPlan holds from one sweep to the next, and the sweeps themselves.
#pragma once

#include <memory>
#include <optional>

#include "gram/gradient_tiles.hpp"
#include "gram/pair_schedule.hpp"
#include "gram/plan_tiles.hpp"
#include "gram/reverse_tiles.hpp"

namespace gramian {

struct GramPlan::State {
 public:
  explicit State(std::shared_ptr<PlanTiles> shared);

  const std::shared_ptr<PlanTiles>& shared() const { return shared_; }
  Index size() const { return tiles_.rows(); }
  /// Of the points, and of what leaves see.
  Index dimension() const { return tiles_.images() == nullptr ? source_dimension() : tiles_.images()->points().dimension(); }
  Index source_dimension() const { return tiles_.source().dimension(); }

  void move_to(MatrixView<const double> X);
  void product(MatrixView<const double> V, MatrixView<double> out);
  void product_and_adjoint(MatrixView<const double> V, MatrixView<double> out, const GramGradient<double>& Kbar,
                           MatrixView<double> Xbar);
  void adjoint_of_symmetric(const GramGradient<double>& Kbar, MatrixView<double> Xbar);
  void trace_gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar);
  void trace_hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                     MatrixView<double> H_bar, MatrixView<double> X_bar);
  void store_lower(MatrixView<double> K);
  GramTiles kept_tiles();

 private:
  /// How the reverse of a tile is had.
  enum class Way {
    weighed,      ///< the derivative is the value times a number
    pairs,        ///< values and derivatives come out of s together, kept tiles are no help
    coordinates,  ///< the derivative needs the value, and the points
    tree          ///< sums, products and multiples of kernels: leaf by leaf
  };
  /// One pair of tiles of a sweep.
  struct Visit {
    TileBlock block;
    Index row_tile;
    Index col_tile;
    int worker;
    bool reads_kept;
    BlockSums* sums;
  };

  /// Vectors in both layouts.
  struct Vectors {
    Index count = 0;
    RowVectors<double> by_row;
    ColumnVectors<double> by_column;
    void assign(MatrixView<const double> V, Index step);
  };
  /// What a sweep along directions has beside the others.
  struct Along {
    GradientTiles<double> rate, gradient_dot;
    Vectors features, features_dot, points, directions;
    Matrix left, right, beside;
  };

  static Way way_of(const KernelTiles<double>& tiles);
  Index tile_count() const { return count_pieces(size(), step_); }
  Index pair_count() const { return tile_count() * (tile_count() + 1) / 2; }
  Visit visit_of(TilePair pair, int worker, bool reads_kept, BlockSums* sums) const;
  /// For loops of so many seconds.
  void make_scratch(double seconds, Index more_tiles = 0);
  void take_vectors(MatrixView<const double> V);
  double seconds_per_pair(Index vectors) const;

  const double* values(const Visit& visit);
  /// Calls each(visit, tile) for all pairs of tiles.
  template <class Each>
  void visit_tiles(KeptTurn& turn, Each each);
  /// K V of the rows of `block`, which lies in the tile of the visit.
  void apply(const Visit& visit, const TileBlock& block, const double* tile);
  ReversePlace<double> place_of(const Visit& visit);
  void reverse(const Visit& visit);
  void reverse_weighed(const Visit& visit);
  void reverse_pairs(const Visit& visit);
  void reverse_coordinates(const Visit& visit);
  void reverse_tree(const Visit& visit);
  void reverse_sweep(MatrixView<double> out, MatrixView<double> Xbar, double times = 1.0);
  void take_directions(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot);
  void take_rate(MatrixView<const double> Xdot);
  void apply_along(const Visit& visit, const TileBlock& block, const double* tile, const Vectors& vectors, Index offset);
  void visit_along(const Visit& visit);
  void write_along(MatrixView<const double> Xdot, MatrixView<double> X_bar);
  template <class Each>
  void sweep(double seconds_per_pair, Index tile_numbers, bool needs_values, Each each);

  std::shared_ptr<PlanTiles> shared_;
  const KernelTiles<double>& tiles_;
  Index step_;
  Way way_;
  ReverseTiles<double> reverse_;
  bool reverse_holds_ = false;  // these positions
  GradientTiles<double> gradient_;
  Index rank_ = 0;  // of the gradient's tiles
  Index vectors_ = 0;
  RowVectors<double> by_row_;
  ColumnVectors<double> by_column_;
  BlockSums sums_;
  PieceSums parts_;
  Along along_;
  std::optional<TileScratch<double>> scratch_;
  Index scratch_tiles_ = 0;
  int workers_ = 0;
};

template <class Each>
void GramPlan::State::sweep(double seconds, Index tile_numbers, bool needs_values, Each each) {
  std::optional<KeptTurn> turn;
  if (needs_values) turn.emplace(*shared_);
  const bool reads = turn && turn->reads();
  make_scratch(seconds * static_cast<double>(pair_count()));
  sums_.clear(tile_count(), tile_numbers);
  sum_over_pairs(seconds, sums_, parts_, [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) {
    each(visit_of({row_tile, col_tile}, worker, reads, &sums));
  });
  if (turn) turn->done();
}

}  // namespace gramian
