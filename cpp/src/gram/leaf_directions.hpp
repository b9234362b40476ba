// SPDX-License-Identifier: BSD-3-Clause
// The points of a leaf together with the directions along which they move.
#pragma once

#include <vector>

#include "gram/leaf_tiles.hpp"
#include "gram/leaf_vectors.hpp"

namespace gramian {

/// One side of a block: x and x' of some points, in the frame of a leaf.
class MovingPoints {
 public:
  /// `first` says whether x comes before x' in a packed row: one side has [x x'], the other [y' y], so that their inner product
  /// is the derivative of <x, y>.
  MovingPoints(const LeafTiles<double>& leaf, MatrixView<const double> X, MatrixView<const double> Xdot, Index panel, bool first,
               const char* name);

  /// Panels of both, with <x, x'> in the place of half the squared norm.
  isa::PackedPoints<double> both(Index first_point) const {
    return {both_.from(first_point).panels, half_dot_.data() + first_point};
  }
  const double* half_dot(Index first_point) const { return half_dot_.data() + first_point; }
  /// Panels of x' alone.
  const double* directions(Index first_point) const { return directions_.from(first_point).panels; }

 private:
  Packed<double> both_;
  Packed<double> directions_;
  std::vector<double> half_dot_;
};

/// Both sides of the tiles of a leaf.
class LeafDirections {
 public:
  LeafDirections(const LeafTiles<double>& leaf, const PairSource<double>& source, MatrixView<const double> Xdot,
                 MatrixView<const double> Ydot);

  /// The derivative of the leaf's s along the directions.
  void raw_along(const TileBlock& block, double* tile) const;

  /// The derivatives of a tile's kernel values; `values` are these values. Three scratch tiles.
  void rate(const TileBlock& block, const double* values, double* out, double* scratch) const;

  isa::DirectionJob<double> job(const TileBlock& block, double* raw, double* raw_dot) const;
  isa::CoordinateDirectionJob<double> coordinate_job(const TileBlock& block) const;

 private:
  const LeafTiles<double>& leaf_;
  Index dimension_;
  MovingPoints rows_;
  MovingPoints cols_;
};

}  // namespace gramian
