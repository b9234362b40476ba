// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/hessian_vector.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "gram/accumulate.hpp"
#include "gram/backprop_along.hpp"
#include "gram/finite.hpp"
#include "gram/gradient_tiles.hpp"
#include "gram/pair_schedule.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

/// What the two weights of a leaf are applied to: the points beside a column of ones, and the directions beside a column of ones.
struct MovingVectors {
  LeafVectors<double> points;
  LeafVectors<double> directions;
};

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

/// As the sweep of adjoint.cpp, with d + 2 vectors for every leaf: the gradient's derivative, what multiplies the point itself,
/// and what multiplies its direction.
class SweepAlong {
 public:
  SweepAlong(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot, MatrixView<const double> Ydot,
             const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot);

  void run();
  void write_first(MatrixView<double> out) { write(out, source_.x(), Xdot_, 0); }
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
  BlockSums sums_;
  TileScratch<double> scratch_;
};

SweepAlong::SweepAlong(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot,
                       MatrixView<const double> Ydot, const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot)
    : source_(source),
      Xdot_(Xdot),
      Ydot_(Ydot),
      tiles_(kernel, source),
      moving_(tiles_, Xdot, Ydot),
      gradient_(Kbar, source.rows(), source.cols(), source.same()),
      gradient_dot_(Kbar_dot, source.rows(), source.cols(), source.same()),
      step_(tile_step(std::max(source.rows(), source.cols()))),
      sums_(row_tiles() + (source.same() ? 0 : count_pieces(source.cols(), step_)), tiles_.leaf_count() * leaf_numbers()),
      scratch_(2 + backprop_along_depth(tiles_.tree(), 5), 1) {
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

void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name) {
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  require(rows == wanted_rows && cols == wanted_cols,
          std::string(name) + " is " + shape(rows, cols) + ", it must be " + shape(wanted_rows, wanted_cols));
}

void check(const PairSource<double>& source, MatrixView<const double> Xdot, MatrixView<const double> Ydot) {
  require(source.dense(), "derivatives along directions are there for dense points only");
  require_shape(Xdot.rows(), Xdot.cols(), source.rows(), source.dimension(), "Xdot");
  require_shape(Ydot.rows(), Ydot.cols(), source.cols(), source.dimension(), source.same() ? "Xdot" : "Ydot");
}

void gram_along_of(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot,
                   MatrixView<const double> Ydot, MatrixView<double> out) {
  check(source, Xdot, Ydot);
  require_shape(out.rows(), out.cols(), source.rows(), source.cols(), "out");
  const KernelTiles<double> tiles(kernel, source);
  const MovingTiles moving(tiles, Xdot, Ydot);
  const Index step = isa::tile_size, down = count_pieces(source.rows(), step), across = count_pieces(source.cols(), step);
  TileScratch<double> scratch(2 + along_depth(tiles.tree()), 1);
  const double seconds = static_cast<double>(tile_numbers) * 3.0 * tiles.seconds_per_entry();
  parallel_for(down * across, seconds, [&](Index task, int worker) {
    const Index row = task / across * step, col = task % across * step;
    const TileBlock block{row, std::min(step, source.rows() - row), col, std::min(step, source.cols() - col)};
    double* rate = scratch.tile(worker, 1);
    moving.evaluate(tiles.tree(), block, scratch.tile(worker, 0), rate, scratch.tile(worker, 2));
    for (Index r = 0; r < block.height; ++r) {
      for (Index c = 0; c < block.width; ++c) out(row + r, col + c) = rate[r * isa::tile_size + c];
    }
  });
}

}  // namespace

void hessian_vector(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot, const GramGradient<double>& Kbar,
                    const GramGradient<double>& Kbar_dot, MatrixView<double> out) {
  const PairSource<double> source(X);
  check(source, Xdot, Xdot);
  require_shape(out.rows(), out.cols(), source.rows(), source.dimension(), "out");
  SweepAlong sweep(kernel, source, Xdot, Xdot, Kbar, Kbar_dot);
  sweep.run();
  sweep.write_first(out);
  require_finite(out);
}

void hessian_vector(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                    MatrixView<const double> Ydot, const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot,
                    MatrixView<double> X_out, MatrixView<double> Y_out) {
  const PairSource<double> source(X, Y);
  check(source, Xdot, Ydot);
  if (!X_out.empty()) require_shape(X_out.rows(), X_out.cols(), source.rows(), source.dimension(), "X_out");
  if (!Y_out.empty()) require_shape(Y_out.rows(), Y_out.cols(), source.cols(), source.dimension(), "Y_out");
  SweepAlong sweep(kernel, source, Xdot, Ydot, Kbar, Kbar_dot);
  sweep.run();
  sweep.write_first(X_out);
  sweep.write_second(Y_out);
  require_finite(X_out);
  require_finite(Y_out);
}

void gram_along(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot, MatrixView<double> out) {
  gram_along_of(kernel, PairSource<double>(X), Xdot, Xdot, out);
}
void gram_along(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                MatrixView<const double> Ydot, MatrixView<double> out) {
  gram_along_of(kernel, PairSource<double>(X, Y), Xdot, Ydot, out);
}

}  // namespace gramian
