// SPDX-License-Identifier: BSD-3-Clause
// The points of a leaf together with the directions along which they move, and the algebra of values that move with them.
#pragma once

#include <vector>

#include "gram/leaf_tiles.hpp"
#include "gram/tile_algebra.hpp"

namespace gramian {

/// One side of a block: x and x' of some points, in the frame of a leaf.
class MovingPoints {
 public:
  /// `first` says whether x comes before x' in a packed row: one side has [x x'], the other [y' y], so that their inner product
  /// is the derivative of <x, y>.
  MovingPoints(const Frame& frame, MatrixView<const double> X, MatrixView<const double> Xdot, Index panel, bool first,
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
  static constexpr Index scratch_tiles = 3;

  LeafDirections(const LeafTiles<double>& leaf, const PairSource<double>& source, MatrixView<const double> Xdot,
                 MatrixView<const double> Ydot);

  /// The derivatives of a tile's kernel values; `values` are these values.
  void rate(const TileBlock& block, const double* values, double* out, double* scratch) const;

  isa::DirectionJob<double> job(const TileBlock& block, double* raw, double* raw_dot) const;
  isa::CoordinateDirectionJob<double> coordinate_job(const TileBlock& block) const;

 private:
  const LeafTiles<double>& leaf_;
  Index dimension_;
  MovingPoints rows_;
  MovingPoints cols_;
};

/// Values, and behind each tile of them one of their derivatives.
class TileRates {
 public:
  using Number = double;
  static constexpr Index tiles_each = 2, numbers = tiles_each * tile_numbers;

  TileRates(const KernelTiles<double>& tiles, const std::vector<LeafDirections>& directions, const TileBlock& block)
      : values_(tiles, block), directions_(directions), block_(block) {}

  void evaluate_leaf(const KernelTree& part, double* tile, double* scratch) const {
    values_.evaluate_leaf(part, tile, scratch);
    directions_[static_cast<std::size_t>(part.leaf)].rate(block_, tile, rate(tile), scratch);
  }
  void copy(const double* from, double* to) const {
    values_.copy(from, to);
    values_.copy(from + tile_numbers, rate(to));
  }
  void scale(double* a, double factor) const {
    values_.scale(a, factor);
    values_.scale(rate(a), factor);
  }
  void add(double* a, const double* b) const {
    values_.add(a, b);
    values_.add(rate(a), b + tile_numbers);
  }
  /// (a b)' = a' b + a b'; b is used up.
  void multiply(double* a, double* b) const {
    values_.multiply(rate(b), a);
    values_.multiply(rate(a), b);
    values_.multiply(a, b);
    values_.add(rate(a), rate(b));
  }
  void take_factor(const KernelTree&, const double*, double*) const {}

  static double* rate(double* tile) { return tile + tile_numbers; }

 private:
  TileValues<double> values_;
  const std::vector<LeafDirections>& directions_;
  TileBlock block_;
};

}  // namespace gramian
