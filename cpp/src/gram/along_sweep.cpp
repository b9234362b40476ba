// SPDX-License-Identifier: BSD-3-Clause
#include "gram/along_sweep.hpp"

#include <utility>

#include "gram/finite.hpp"

namespace gramian {
namespace {

/// Scratch tiles of a leaf beside its two weights: s and s', or the values, their rates and what these need.
constexpr Index leaf_tiles = TileRates::tiles_each + LeafDirections::scratch_tiles;

void fit(Matrix& A, Index rows, Index cols) {
  if (A.rows() != rows || A.cols() != cols) A = Matrix(rows, cols);
}

}  // namespace

void AlongSweep::along(const GramGradient<double>& Kbar, bool both_roles, const GramGradient<double>& Kbar_dot,
                       const Directions& directions) {
  require(tiles().images() == nullptr, no_directions_of_images);
  const Index n = tiles().rows(), m = tiles().cols(), d = source().dimension();
  directions_ = directions;
  // Both roles have twice the rank: then the chain rule costs less.
  weighed_ = weighed(Kbar) && !Kbar_dot.dense() && !both_roles;
  gradient_.assign(Kbar, n, m, both_roles);
  gradient_dot_.assign(Kbar_dot, n, m, source().same());
  leaves_ = leaf_sums(true);
  take_points();
  take_directions();
  h_.assign(directions.H, step());
  h_dot_.assign(directions.Hdot, step());
  const Index sums = leaves_.numbers() + h_.count() * step();
  if (weighed_) {
    take_rate();
    const Index vectors = h_.count() + d + 2;
    return sum({2.0 * seconds_per_pair(4 * vectors), sums, 6, 0, true}, [&](const TileVisit& visit) { visit_weighed(visit); });
  }
  const Index unit = TileRates::tiles_each, of_leaf = LeafDirections::scratch_tiles;
  const Index scratch = std::max(tiles().tree().backprop_depth(unit, of_leaf, leaf_tiles), tiles().tree().depth(unit, of_leaf));
  sum({4.0 * seconds_per_pair(h_.count() + d), sums, unit + scratch, 3 * d * step(), false},
      [&](const TileVisit& visit) { visit_tree(visit); });
}

void AlongSweep::take_directions() {
  const auto count = static_cast<std::size_t>(tiles().leaf_count());
  const bool same = source().same();
  moving_.clear();
  x_dot_.resize(count);
  y_dot_.resize(same ? 0 : count);
  for (std::size_t l = 0; l < count; ++l) {
    const LeafTiles<double>& leaf = tiles().leaf(static_cast<Index>(l));
    assign_leaf(leaf, directions_.Xdot, source().rows(), true, step(), numbers_, x_dot_[l]);
    if (!same) assign_leaf(leaf, directions_.Ydot, source().cols(), true, step(), numbers_, y_dot_[l]);
    if (!weighed_) moving_.emplace_back(leaf, source(), directions_.Xdot, directions_.Ydot);
  }
}

/// K' = K o (slope s'), s' = <x, y'> + <x', y> - <x, x'> - <y, y'>: of rank 2 d + 2.
void AlongSweep::take_rate() {
  const Frame& frame = tiles().leaf(0).frame();
  const Index d = source().dimension();
  const auto take = [&](Matrix& out, MatrixView<const double> X, MatrixView<const double> Xdot, double factor, bool first) {
    fit(out, X.rows(), 2 * d + 2);
    for (Index i = 0; i < X.rows(); ++i) {
      double inner = 0.0;
      for (Index k = 0; k < d; ++k) {
        const double x = frame(X(i, k), k), dot = Xdot(i, k) * frame.scale[static_cast<std::size_t>(k)];
        inner += x * dot;
        out(i, first ? k : d + k) = factor * x;
        out(i, first ? d + k : k) = factor * dot;
      }
      out(i, first ? 2 * d : 2 * d + 1) = -factor * inner;
      out(i, first ? 2 * d + 1 : 2 * d) = factor;
    }
  };
  take(left_, source().x(), directions_.Xdot, slope_of_value(), true);
  take(right_, source().y(), directions_.Ydot, 1.0, false);
  rate_.assign(GramGradient<double>(std::as_const(left_).view(), std::as_const(right_).view()), tiles().rows(), tiles().cols(),
               false);
}

/// By strips of rows that stay in the first-level cache with all that is made of them: K, W = K o Kbar, K' = K o s' and
/// W' = K o Kbar' + K' o Kbar.
void AlongSweep::visit_weighed(const TileVisit& visit) {
  const Index height = strip_height(step(), 4);
  const double* tile = values(visit);
  double *weights = scratch(visit.worker, 2), *rate = scratch(visit.worker, 3);
  double *weights_dot = scratch(visit.worker, 4), *more = scratch(visit.worker, 5);
  TileBlock strip = visit.block;
  for (Index row = 0; row < visit.block.height; row += height) {
    strip.row = visit.block.row + row;
    strip.height = std::min(height, visit.block.height - row);
    const double* K = tile + row * isa::tile_size;
    gradient_.weigh(strip, K, weights);
    rate_.weigh(strip, K, rate);
    if (h_.count() > 0) {
      apply(visit, strip, K, h_dot_, h_dot_, leaves_.numbers());
      apply(visit, strip, rate, h_, h_, leaves_.numbers());
    }
    gradient_dot_.weigh(strip, K, weights_dot);
    gradient_.weigh(strip, rate, more);
    TileValues<double>(tiles(), strip).add(weights_dot, more);
    add_weights(0, visit, strip, weights, weights_dot);
  }
}

void AlongSweep::visit_tree(const TileVisit& visit) {
  if (h_.count() > 0) visit_products(visit);
  double* Kbar = scratch(visit.worker, 0);
  gradient_.evaluate(visit.block, Kbar);
  gradient_dot_.evaluate(visit.block, TileRates::rate(Kbar));
  backprop(TileRates(tiles(), moving_, visit.block), tiles().tree(), Kbar, scratch(visit.worker, TileRates::tiles_each),
           [&](const KernelTree& part, double* weights, double* free) {
             const bool coordinates = tiles().leaf(part.leaf).form() == LeafForm::coordinate;
             coordinates ? visit_coordinates(part, visit, weights, free) : visit_pairs(part, visit, weights, free);
           });
}

void AlongSweep::visit_products(const TileVisit& visit) {
  double* values = scratch(visit.worker, 0);
  evaluate_part(TileRates(tiles(), moving_, visit.block), tiles().tree(), values, scratch(visit.worker, TileRates::tiles_each));
  tiles().finish(visit.block, values);
  apply(visit, visit.block, values, h_dot_, h_dot_, leaves_.numbers());
  apply(visit, visit.block, TileRates::rate(values), h_, h_, leaves_.numbers());
}

void AlongSweep::visit_pairs(const KernelTree& part, const TileVisit& visit, double* Kbar, double* free) {
  double norms[4][isa::tile_size] = {};
  isa::DirectionJob<double> job = moving_[static_cast<std::size_t>(part.leaf)].job(visit.block, free, TileRates::rate(free));
  job.at.weights = Kbar;
  job.weights_dot = TileRates::rate(Kbar);
  job.at.row_sums = norms[0];
  job.row_sums_dot = norms[1];
  job.at.col_sums = norms[2];
  job.col_sums_dot = norms[3];
  tiles().leaf(part.leaf).kernel().chain_along(job);
  if (tiles().leaf(part.leaf).form() == LeafForm::inner) {
    const auto add = [&](Index tile, const double* at, const double* dot) {
      double* sums = visit.sums->tile(tile);
      for (Index i = 0; i < step(); ++i) {
        sums[leaves_.own(part.leaf) + i] += dot[i];
        sums[leaves_.own_dot(part.leaf) + i] += at[i];
      }
    };
    add(visit.col_tile, norms[2], norms[3]);
    if (!visit.diagonal) add(visit.row_tile, norms[0], norms[1]);
  }
  add_weights(part.leaf, visit, visit.block, Kbar, TileRates::rate(Kbar));
}

void AlongSweep::add_weights(Index leaf, const TileVisit& visit, const TileBlock& block, const double* weights,
                             const double* weights_dot) {
  const auto l = static_cast<std::size_t>(leaf);
  const bool ones = tiles().leaf(leaf).form() == LeafForm::distance;
  apply(visit, block, weights_dot, row_points()[l], col_points()[l], ones ? leaves_.own(leaf) : leaves_.coordinates(leaf));
  apply(visit, block, weights, x_dot_[l], source().same() ? x_dot_[l] : y_dot_[l], leaves_.coordinates(leaf));
}

void AlongSweep::visit_coordinates(const KernelTree& part, const TileVisit& visit, double* Kbar, double* free) {
  const LeafDirections& moving = moving_[static_cast<std::size_t>(part.leaf)];
  const TileRates rates(tiles(), moving_, visit.block);
  // W = Kbar o K and its derivative Kbar' o K + Kbar o K'
  rates.evaluate_leaf(part, free, free + TileRates::numbers);
  rates.multiply(Kbar, free);
  const Index numbers = source().dimension() * step();
  double *unused = extra(visit.worker), *unused_dot = unused + 2 * numbers;
  std::fill_n(unused, 3 * numbers, 0.0);
  isa::CoordinateDirectionJob<double> job = moving.coordinate_job(visit.block);
  job.at.weights = Kbar;
  job.weights_dot = TileRates::rate(Kbar);
  job.at.row_sums = unused;
  job.at.col_sums = unused + numbers;
  job.at.stride = step();
  const Index at = leaves_.coordinates(part.leaf);
  job.col_sums_dot = visit.sums->tile(visit.col_tile) + at;
  job.row_sums_dot = visit.diagonal ? unused_dot : visit.sums->tile(visit.row_tile) + at;
  tiles().leaf(part.leaf).kernel().coordinate_chain_along(job);
}

void AlongSweep::write_points_along(MatrixView<double> out, bool first) {
  if (out.empty()) return;
  std::vector<double> no_parameters;
  write_leaves(leaves_, out, first, first ? directions_.Xdot : directions_.Ydot, weighed_ ? slope_of_value() : 1.0,
               no_parameters);
  require_finite(out);
}

}  // namespace gramian
