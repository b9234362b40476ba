// SPDX-License-Identifier: BSD-3-Clause
// The sweep behind products of Hessians with vectors.
#pragma once

#include <vector>

#include "gram/backprop_along.hpp"
#include "gram/gradient_tiles.hpp"
#include "gram/pair_schedule.hpp"

namespace gramian {

/// What the two weights of a leaf are applied to: the points beside a column of ones, and the directions beside a column of ones.
struct MovingVectors {
  LeafVectors<double> points;
  LeafVectors<double> directions;
};

/// As the sweep of adjoint.cpp, with d + 2 vectors for every leaf: the gradient's derivative, what multiplies the point itself,
/// and what multiplies its direction.
class SweepAlong {
 public:
  /// H and Hdot may be empty; with them one set of points also gives K Hdot + Kdot H.
  struct Features {
    MatrixView<const double> H, Hdot;
  };
  SweepAlong(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot, MatrixView<const double> Ydot,
             const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot, const Features& features = {});

  void run();
  void write_first(MatrixView<double> out) { write(out, source_.x(), Xdot_, 0); }
  void write_products(MatrixView<double> out) const { sums_.write(out, step_, tiles_.leaf_count() * leaf_numbers()); }
  void write_second(MatrixView<double> out) { write(out, source_.y(), Ydot_, row_tiles()); }

 private:
  struct Place {
    TileBlock block;
    Index row_tile;
    Index col_tile;
    bool diagonal;
    int worker;
    BlockSums* sums;
  };

  Index dimension() const { return source_.dimension(); }
  Index row_tiles() const { return count_pieces(source_.rows(), step_); }
  Index leaf_numbers() const { return (dimension() + 2) * step_; }
  double* leaf_sums(BlockSums& sums, Index tile, Index leaf) const { return sums.tile(tile) + leaf * leaf_numbers(); }

  void visit(Index row_tile, Index col_tile, int worker, BlockSums& sums);
  void visit_products(const Place& place);
  void visit_pairs(const KernelTree& part, const Place& place, double* Kbar, double* Kbar_dot, double* scratch);
  void visit_coordinates(const KernelTree& part, const Place& place, double* Kbar, double* Kbar_dot, double* scratch);
  void apply(const Place& place, Index leaf, double* weights, bool directions);
  void write(MatrixView<double> out, MatrixView<const double> points, MatrixView<const double> dots, Index first_tile);

  PairSource<double> source_;
  MatrixView<const double> Xdot_, Ydot_;
  KernelTiles<double> tiles_;
  MovingTiles moving_;
  GradientTiles<double> gradient_, gradient_dot_;
  Index step_;
  std::vector<MovingVectors> x_, y_;
  Index features_;
  LeafVectors<double> h_, h_dot_;
  BlockSums sums_;
  TileScratch<double> scratch_;
};

}  // namespace gramian
