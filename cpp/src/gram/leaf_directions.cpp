// SPDX-License-Identifier: BSD-3-Clause
#include "gram/leaf_directions.hpp"

#include <algorithm>

namespace gramian {
namespace {

constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

Frame no_frame(Index columns) {
  const auto d = static_cast<std::size_t>(columns);
  return {std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)};
}

/// [A B], side by side.
Buffer<double> joined(const Buffer<double>& A, const Buffer<double>& B, Index rows, Index columns) {
  Buffer<double> out(checked_product(rows, 2 * columns));
  for (Index i = 0; i < rows; ++i) {
    std::copy_n(A.data() + i * columns, columns, out.data() + 2 * i * columns);
    std::copy_n(B.data() + i * columns, columns, out.data() + (2 * i + 1) * columns);
  }
  return out;
}

Packed<double> packed(const Buffer<double>& numbers, Index rows, Index columns, Index panel, const char* name) {
  return {MatrixView<const double>(numbers.data(), rows, columns), panel, no_frame(columns), name};
}

Packed<double> packed_pair(const LeafTiles<double>& leaf, MatrixView<const double> X, MatrixView<const double> Xdot, Index panel,
                           bool first, const char* name) {
  const Index n = X.rows(), d = X.cols();
  const Buffer<double> x = in_frame(X, n, leaf.frame(), d), moving = in_frame(Xdot, n, leaf.frame(), d, true);
  return packed(first ? joined(x, moving, n, d) : joined(moving, x, n, d), n, 2 * d, panel, name);
}

}  // namespace

MovingPoints::MovingPoints(const LeafTiles<double>& leaf, MatrixView<const double> X, MatrixView<const double> Xdot, Index panel,
                           bool first, const char* name)
    : both_(packed_pair(leaf, X, Xdot, panel, first, name)),
      directions_(packed(in_frame(Xdot, X.rows(), leaf.frame(), X.cols(), true), X.rows(), X.cols(), panel, name)),
      half_dot_(static_cast<std::size_t>(X.rows() + isa::tile_size), 0.0) {
  for (Index i = 0; i < X.rows(); ++i) {
    double sum = 0.0;
    for (Index k = 0; k < X.cols(); ++k)
      sum += leaf.frame()(X(i, k), k) * Xdot(i, k) * leaf.frame().scale[static_cast<std::size_t>(k)];
    half_dot_[static_cast<std::size_t>(i)] = sum;
  }
}

LeafDirections::LeafDirections(const LeafTiles<double>& leaf, const PairSource<double>& source, MatrixView<const double> Xdot,
                               MatrixView<const double> Ydot)
    : leaf_(leaf),
      dimension_(source.dimension()),
      rows_(leaf, source.x(), Xdot, isa::ops<double>().row_panel, true, "Xdot"),
      cols_(leaf, source.y(), Ydot, isa::ops<double>().col_panel, false, source.same() ? "Xdot" : "Ydot") {}

void LeafDirections::raw_along(const TileBlock& block, double* tile) const {
  isa::TileJob<double> job = leaf_.tile_job(block, tile);
  job.rows = rows_.both(block.row);
  job.cols = cols_.both(block.col);
  job.dimension = 2 * dimension_;
  const isa::Ops<double>& ops = isa::ops<double>();
  (leaf_.form() == LeafForm::distance ? ops.raw_distance : ops.raw_inner)(job);
}

isa::DirectionJob<double> LeafDirections::job(const TileBlock& block, double* raw, double* raw_dot) const {
  leaf_.raw(block, raw);
  raw_along(block, raw_dot);
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
