// SPDX-License-Identifier: BSD-3-Clause
// The derivative of an adjoint along directions: of points, of Kbar, and of vectors that K is multiplied with.
#pragma once

#include <vector>

#include "gram/adjoint_sweep.hpp"
#include "gram/leaf_directions.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

class AlongSweep : public AdjointSweep<double> {
 public:
  using AdjointSweep<double>::AdjointSweep;

  struct Directions {
    MatrixView<const double> Xdot, Ydot;   ///< for one set Ydot is Xdot
    MatrixView<const double> H{}, Hdot{};  ///< may be empty; with them one set of points also gives K Hdot + Kdot H
  };

  /// The sums of one sweep. Kbar is that of both roles, or of the first one; Kbar_dot always of both, of one set. Second partials
  /// are taken as 0 where they are unbounded. Throws std::invalid_argument as adjoint() does, and for a kernel on images.
  void along(const GramGradient<double>& Kbar, bool both_roles, const GramGradient<double>& Kbar_dot,
             const Directions& directions);

  /// Of the last along(): the derivative of the gradient in the first set or in the second; and K Hdot + Kdot H.
  void write_points_along(MatrixView<double> out, bool first);
  void write_product_along(MatrixView<double> out) const { sums().write(out, step(), leaves_.numbers()); }

 private:
  void take_directions();
  void take_rate();
  void visit_weighed(const TileVisit& visit);
  void visit_tree(const TileVisit& visit);
  void visit_products(const TileVisit& visit);
  void visit_pairs(const KernelTree& part, const TileVisit& visit, double* Kbar, double* scratch);
  void visit_coordinates(const KernelTree& part, const TileVisit& visit, double* Kbar, double* scratch);
  /// The derivative of a leaf's weights goes to the points, the weights to the directions.
  void add_weights(Index leaf, const TileVisit& visit, const TileBlock& block, const double* weights, const double* weights_dot);

  Directions directions_;
  bool weighed_ = false;
  GradientTiles<double> gradient_, gradient_dot_, rate_;
  LeafSums leaves_;
  PairVectors<double> h_, h_dot_;
  std::vector<PairVectors<double>> x_dot_, y_dot_;  // of every leaf
  std::vector<LeafDirections> moving_;              // of every leaf, unless it is weighed
  Matrix left_, right_;
  Buffer<double> numbers_;
};

}  // namespace gramian
