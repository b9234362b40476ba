// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sweep_along.hpp"

#include <algorithm>

#include "gram/accumulate.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

/// [X 1 0] for what multiplies the points, [Xdot 0 1] for what multiplies the directions.
LeafVectors<double> with_marks(const LeafTiles<double>& leaf, MatrixView<const double> X, Index columns, bool directions,
                               Index step) {
  const Index n = X.rows(), d = X.cols();
  Buffer<double> numbers = in_frame(X, n, leaf.frame(), columns, directions);
  for (Index i = 0; columns > d && i < n; ++i) {
    numbers[i * columns + d] = directions ? 0.0 : 1.0;
    numbers[i * columns + d + 1] = directions ? 1.0 : 0.0;
  }
  return {numbers, n, columns, step};
}

}  // namespace

SweepAlong::SweepAlong(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot,
                       MatrixView<const double> Ydot, const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot,
                       const Features& features)
    : source_(source),
      Xdot_(Xdot),
      Ydot_(Ydot),
      tiles_(kernel, source),
      moving_(tiles_, Xdot, Ydot),
      gradient_(Kbar, source.rows(), source.cols(), source.same()),
      gradient_dot_(Kbar_dot, source.rows(), source.cols(), source.same()),
      step_(tile_step(std::max(source.rows(), source.cols()))),
      features_(features.H.empty() ? 0 : features.H.cols()),
      sums_(row_tiles() + (source.same() ? 0 : count_pieces(source.cols(), step_)),
            tiles_.leaf_count() * leaf_numbers() + features_ * step_),
      scratch_(2 + std::max(backprop_along_depth(tiles_.tree(), 5), along_depth(tiles_.tree())), 1) {
  if (features_ > 0) {
    h_.assign(features.H, step_);
    h_dot_.assign(features.Hdot, step_);
  }
  for (Index l = 0; l < tiles_.leaf_count(); ++l) {
    const LeafTiles<double>& leaf = tiles_.leaf(l);
    if (leaf.form() == LeafForm::coordinate) continue;
    const Index columns = dimension() + (leaf.form() == LeafForm::distance ? 2 : 0);
    x_.push_back({with_marks(leaf, source.x(), columns, false, step_), with_marks(leaf, Xdot, columns, true, step_)});
    y_.push_back({with_marks(leaf, source.y(), columns, false, step_), with_marks(leaf, Ydot, columns, true, step_)});
  }
}

void SweepAlong::run() {
  const double entries = static_cast<double>(step_) * static_cast<double>(step_);
  const double seconds = entries * (4.0 * tiles_.seconds_per_entry() + 0.06e-9 * static_cast<double>(dimension()));
  const auto one = [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) { visit(row_tile, col_tile, worker, sums); };
  if (source_.same()) {
    sum_over_pairs(seconds, sums_, one);
  } else {
    sum_over_grid(row_tiles(), count_pieces(source_.cols(), step_), seconds, sums_, one);
  }
}

void SweepAlong::visit(Index row_tile, Index col_tile, int worker, BlockSums& sums) {
  if (worker == 0) poll_stop();
  const Index row = row_tile * step_, col = col_tile * step_;
  const Place place{{row, std::min(step_, source_.rows() - row), col, std::min(step_, source_.cols() - col)},
                    row_tile,
                    source_.same() ? col_tile : row_tiles() + col_tile,
                    source_.same() && row_tile == col_tile,
                    worker,
                    &sums};
  if (features_ > 0) visit_products(place);
  double *Kbar = scratch_.tile(worker, 0), *Kbar_dot = scratch_.tile(worker, 1);
  gradient_.evaluate(place.block, Kbar);
  gradient_dot_.evaluate(place.block, Kbar_dot);
  backprop_along(moving_, tiles_.tree(), place.block, Kbar, Kbar_dot, scratch_.tile(worker, 2),
                 [&](const KernelTree& part, double* weights, double* weights_dot, double* scratch) {
                   const bool coordinates = tiles_.leaf(part.leaf).form() == LeafForm::coordinate;
                   coordinates ? visit_coordinates(part, place, weights, weights_dot, scratch)
                               : visit_pairs(part, place, weights, weights_dot, scratch);
                 });
}

void SweepAlong::visit_products(const Place& place) {
  double *values = scratch_.tile(place.worker, 0), *rate = scratch_.tile(place.worker, 1);
  moving_.evaluate(tiles_.tree(), place.block, values, rate, scratch_.tile(place.worker, 2));
  tiles_.finish(place.block, values);
  const Index offset = tiles_.leaf_count() * leaf_numbers();
  const auto add = [&](const double* tile, const LeafVectors<double>& vectors) {
    const isa::ApplyBothJob<double> job{
        tile,   tiles_.whole_rows(place.block.height), tiles_.whole_cols(place.block.width), features_,
        step_,  vectors.by_row(place.row_tile),        vectors.by_column(place.col_tile),    nullptr,
        nullptr};
    accumulate_pair<double>(tiles_.ops(), job, place.diagonal, nullptr, place.sums->tile(place.row_tile) + offset,
                            place.sums->tile(place.col_tile) + offset);
  };
  add(values, h_dot_);
  add(rate, h_);
}

void SweepAlong::visit_pairs(const KernelTree& part, const Place& place, double* Kbar, double* Kbar_dot, double* scratch) {
  double norms[4][isa::tile_size] = {};
  isa::DirectionJob<double> job =
      moving_.directions[static_cast<std::size_t>(part.leaf)].job(place.block, scratch, scratch + tile_numbers);
  job.at.weights = Kbar;
  job.weights_dot = Kbar_dot;
  job.at.row_sums = norms[0];
  job.row_sums_dot = norms[1];
  job.at.col_sums = norms[2];
  job.col_sums_dot = norms[3];
  tiles_.leaf(part.leaf).kernel().chain_along(job);
  if (tiles_.leaf(part.leaf).form() == LeafForm::inner) {
    const auto add = [&](Index tile, const double* at, const double* dot) {
      double* to = leaf_sums(*place.sums, tile, part.leaf) + dimension() * step_;
      for (Index i = 0; i < step_; ++i) to[i] += dot[i], to[step_ + i] += at[i];
    };
    add(place.col_tile, norms[2], norms[3]);
    if (!place.diagonal) add(place.row_tile, norms[0], norms[1]);
  }
  apply(place, part.leaf, Kbar_dot, false);
  apply(place, part.leaf, Kbar, true);
}

void SweepAlong::apply(const Place& place, Index leaf_index, double* weights, bool directions) {
  Index at = 0;  // leaves without vectors are left out
  for (Index l = 0; l < leaf_index; ++l) at += tiles_.leaf(l).form() == LeafForm::coordinate ? 0 : 1;
  const auto& of = [&](const std::vector<MovingVectors>& side) -> const LeafVectors<double>& {
    const MovingVectors& both = side[static_cast<std::size_t>(at)];
    return directions ? both.directions : both.points;
  };
  const Index columns = dimension() + (tiles_.leaf(leaf_index).form() == LeafForm::distance ? 2 : 0);
  isa::ApplyJob<double> job{weights,
                            tiles_.whole_rows(place.block.height),
                            tiles_.whole_cols(place.block.width),
                            columns,
                            step_,
                            of(x_).by_row(place.row_tile),
                            nullptr};
  accumulate<double>(tiles_.ops().apply_to_columns, job, nullptr, leaf_sums(*place.sums, place.col_tile, leaf_index));
  if (place.diagonal) return;
  job.V = of(y_).by_column(place.block.col / step_);
  accumulate<double>(tiles_.ops().apply_to_rows, job, nullptr, leaf_sums(*place.sums, place.row_tile, leaf_index));
}

void SweepAlong::visit_coordinates(const KernelTree& part, const Place& place, double* Kbar, double* Kbar_dot, double* scratch) {
  const LeafTiles<double>& leaf = tiles_.leaf(part.leaf);
  const LeafDirections& directions = moving_.directions[static_cast<std::size_t>(part.leaf)];
  const Index rows = tiles_.whole_rows(place.block.height), cols = tiles_.whole_cols(place.block.width);
  const isa::Ops<double>& ops = tiles_.ops();
  double *values = scratch, *rate = scratch + tile_numbers;
  leaf.values(place.block, values);
  directions.rate(place.block, values, rate, rate + tile_numbers);
  // W = Kbar o K and its derivative Kbar' o K + Kbar o K'
  ops.multiply(rows, cols, rate, Kbar);
  ops.multiply(rows, cols, Kbar, values);
  ops.multiply(rows, cols, Kbar_dot, values);
  ops.add(rows, cols, Kbar_dot, rate);

  const auto numbers = static_cast<std::size_t>(dimension() * step_);
  std::vector<double> row_sums(numbers, 0.0), col_sums(numbers, 0.0), row_dot(numbers, 0.0), col_dot(numbers, 0.0);
  isa::CoordinateDirectionJob<double> job = directions.coordinate_job(place.block);
  job.at.weights = Kbar;
  job.weights_dot = Kbar_dot;
  job.at.row_sums = row_sums.data();
  job.at.col_sums = col_sums.data();
  job.row_sums_dot = row_dot.data();
  job.col_sums_dot = col_dot.data();
  job.at.stride = step_;
  leaf.kernel().coordinate_chain_along(job);
  const auto add = [&](const std::vector<double>& from, Index tile) {
    double* to = leaf_sums(*place.sums, tile, part.leaf);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  add(col_dot, place.col_tile);
  if (!place.diagonal) add(row_dot, place.row_tile);
}

void SweepAlong::write(MatrixView<double> out, MatrixView<const double> points, MatrixView<const double> dots, Index first_tile) {
  const Index d = dimension();
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < d; ++k) out(i, k) = 0.0;
    for (Index l = 0; l < tiles_.leaf_count(); ++l) {
      const LeafTiles<double>& leaf = tiles_.leaf(l);
      const double* sums = leaf_sums(sums_, first_tile + i / step_, l) + i % step_;
      const double with_point = sums[d * step_], with_direction = sums[(d + 1) * step_];
      const double sign = leaf.form() == LeafForm::distance ? -1.0 : 2.0;
      for (Index k = 0; k < d; ++k) {
        const double scale = leaf.frame().scale[static_cast<std::size_t>(k)];
        const double own = with_point * leaf.frame()(points(i, k), k) + with_direction * dots(i, k) * scale;
        out(i, k) += scale * (sums[k * step_] + (leaf.form() == LeafForm::coordinate ? 0.0 : sign * own));
      }
    }
  }
}

}  // namespace gramian
