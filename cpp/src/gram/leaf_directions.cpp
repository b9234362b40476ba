// SPDX-License-Identifier: BSD-3-Clause
#include "gram/leaf_directions.hpp"

#include <algorithm>

#include "gram/leaf_vectors.hpp"

namespace gramian {

MovingPoints::MovingPoints(const Frame& frame, MatrixView<const double> X, MatrixView<const double> Xdot, Index panel, bool first,
                           const char* name)
    : half_dot_(static_cast<std::size_t>(X.rows() + isa::tile_size), 0.0) {
  const Index n = X.rows(), d = X.cols();
  Buffer<double> points, moves;
  in_frame(X, frame, InFrame::points, points);
  in_frame(Xdot, frame, InFrame::directions, moves);
  const MatrixView<const double> x(points.data(), n, d), dot(moves.data(), n, d), none(nullptr, n, 0);
  both_.assign(first ? x : dot, first ? dot : x, panel, name);
  directions_.assign(dot, none, panel, name);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) half_dot_[static_cast<std::size_t>(i)] += x(i, k) * dot(i, k);
  }
}

LeafDirections::LeafDirections(const LeafTiles<double>& leaf, const PairSource<double>& source, MatrixView<const double> Xdot,
                               MatrixView<const double> Ydot)
    : leaf_(leaf),
      dimension_(source.dimension()),
      rows_(leaf.frame(), source.x(), Xdot, isa::ops<double>().row_panel, true, "Xdot"),
      cols_(leaf.frame(), source.y(), Ydot, isa::ops<double>().col_panel, false, source.same() ? "Xdot" : "Ydot") {}

isa::DirectionJob<double> LeafDirections::job(const TileBlock& block, double* raw, double* raw_dot) const {
  leaf_.raw(block, raw);
  isa::TileJob<double> along = leaf_.tile_job(block, raw_dot);
  along.rows = rows_.both(block.row);
  along.cols = cols_.both(block.col);
  along.dimension = 2 * dimension_;
  const isa::Ops<double>& ops = isa::ops<double>();
  (leaf_.form() == LeafForm::distance ? ops.raw_distance : ops.raw_inner)(along);
  isa::DirectionJob<double> job{};
  job.at = leaf_.pair_job(block);
  job.at.raw = raw;
  job.raw_dot = raw_dot;
  job.row_half_dot = rows_.half_dot(block.row);
  job.col_half_dot = cols_.half_dot(block.col);
  return job;
}

isa::CoordinateDirectionJob<double> LeafDirections::coordinate_job(const TileBlock& block) const {
  isa::CoordinateDirectionJob<double> job{};
  job.at.points = leaf_.tile_job(block, nullptr);
  job.rows_dot = rows_.directions(block.row);
  job.cols_dot = cols_.directions(block.col);
  return job;
}

void LeafDirections::rate(const TileBlock& block, const double* values, double* out, double* scratch) const {
  const isa::PairJob<double> size = leaf_.pair_job(block);
  if (leaf_.form() == LeafForm::coordinate) {
    leaf_.kernel().coordinate_rate(coordinate_job(block), out);
    return isa::ops<double>().multiply(size.rows, size.cols, out, values);
  }
  // With weights of zero all that chain_along leaves is the rate.
  isa::DirectionJob<double> along = job(block, scratch, out);
  double sums[4][isa::tile_size] = {};
  std::fill_n(scratch + tile_numbers, 2 * tile_numbers, 0.0);
  along.at.weights = scratch + tile_numbers;
  along.weights_dot = scratch + 2 * tile_numbers;
  along.at.row_sums = sums[0];
  along.at.col_sums = sums[1];
  along.row_sums_dot = sums[2];
  along.col_sums_dot = sums[3];
  leaf_.kernel().chain_along(along);
}

}  // namespace gramian
