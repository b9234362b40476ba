// SPDX-License-Identifier: BSD-3-Clause
// tr(Hᵀ K H) / 2: its gradient, and the derivative of that along directions.
#include "gram/plan_state.hpp"

#include <algorithm>
#include <utility>

#include "gram/accumulate.hpp"
#include "gram/finite.hpp"
#include "gram/sweep_along.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

Matrix half_of(MatrixView<const double> H) {
  Matrix out = Matrix::copy_of(H);
  for (Index i = 0; i < out.size(); ++i) out.data()[i] *= 0.5;
  return out;
}

void fit(Matrix& A, Index rows, Index cols) {
  if (A.rows() != rows || A.cols() != cols) A = Matrix(rows, cols);
}

}  // namespace

void GramPlan::State::Vectors::assign(MatrixView<const double> V, Index step) {
  count = V.cols();
  by_row.assign(V, step);
  by_column.assign(V, step);
}

/// H Hᵀ is symmetric: as a weight of pairs that are visited once it stands for half of both roles, which is the first one alone.
void GramPlan::State::trace_gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) {
  take_vectors(H);
  gradient_.assign(GramGradient<double>(H, H), size(), size(), false);
  rank_ = H.cols();
  reverse_sweep(H_bar, X_bar);
}

void GramPlan::State::trace_hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                                    MatrixView<double> H_bar, MatrixView<double> X_bar) {
  if (H_bar.empty() && X_bar.empty()) return;
  require(tiles_.images() == nullptr, no_directions_of_images);
  if (way_ != Way::weighed) {
    const Matrix half = half_of(H);
    const PairSource<double> source(Points(std::as_const(shared_->positions).view()));
    SweepAlong along(shared_->kernel, source, Xdot, Xdot, GramGradient<double>(half.view(), H), GramGradient<double>(Hdot, H),
                     {H, Hdot});
    along.run();
    along.write_first(X_bar);
    along.write_products(H_bar);
    return require_finite(X_bar);
  }
  take_directions(H, Hdot, Xdot);
  make_scratch(0.0, 5);  // the sweep makes it for more workers, if it has them
  const Index vectors = H.cols() + dimension() + 2;
  sweep(2.0 * seconds_per_pair(4 * vectors), vectors * step_, true, [&](const Visit& visit) { visit_along(visit); });
  sums_.write(H_bar, step_);
  write_along(Xdot, X_bar);
  require_finite(X_bar);
}

/// Sums of a tile: H_bar, then what multiplies the point itself, the coordinates, and what multiplies its direction.
void GramPlan::State::take_directions(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot) {
  gradient_.assign(GramGradient<double>(H, H), size(), size(), false);
  along_.gradient_dot.assign(GramGradient<double>(Hdot, H), size(), size(), true);
  take_rate(Xdot);
  along_.features.assign(H, step_);
  along_.features_dot.assign(Hdot, step_);
  const Frame& frame = tiles_.leaf(0).frame();
  const Index d = dimension();
  fit(along_.beside, size(), d + 1);
  for (Index i = 0; i < size(); ++i) {
    along_.beside(i, 0) = 1.0;
    for (Index k = 0; k < d; ++k) along_.beside(i, k + 1) = frame(shared_->positions(i, k), k);
  }
  along_.points.assign(std::as_const(along_.beside).view(), step_);
  for (Index i = 0; i < size(); ++i) {
    for (Index k = 0; k < d; ++k) along_.beside(i, k) = Xdot(i, k) * frame.scale[static_cast<std::size_t>(k)];
    along_.beside(i, d) = 1.0;
  }
  along_.directions.assign(std::as_const(along_.beside).view(), step_);
}

/// K' = K o (slope s'), s' = <x, y'> + <x', y> - <x, x'> - <y, y'>: of rank 2 d + 2.
void GramPlan::State::take_rate(MatrixView<const double> Xdot) {
  const LeafTiles<double>& leaf = tiles_.leaf(0);
  const double slope = leaf.kernel().slope_of_value;
  const Index d = dimension();
  fit(along_.left, size(), 2 * d + 2);
  fit(along_.right, size(), 2 * d + 2);
  for (Index i = 0; i < size(); ++i) {
    double inner = 0.0;
    for (Index k = 0; k < d; ++k) {
      const double x = leaf.frame()(shared_->positions(i, k), k),
                   dot = Xdot(i, k) * leaf.frame().scale[static_cast<std::size_t>(k)];
      inner += x * dot;
      along_.left(i, k) = slope * x;
      along_.left(i, d + k) = slope * dot;
      along_.right(i, k) = dot;
      along_.right(i, d + k) = x;
    }
    along_.left(i, 2 * d) = -slope * inner;
    along_.left(i, 2 * d + 1) = slope;
    along_.right(i, 2 * d) = 1.0;
    along_.right(i, 2 * d + 1) = -inner;
  }
  const GramGradient<double> rate(std::as_const(along_.left).view(), std::as_const(along_.right).view());
  along_.rate.assign(rate, size(), size(), false);
}

void GramPlan::State::apply_along(const Visit& visit, const TileBlock& block, const double* tile, const Vectors& vectors,
                                  Index offset) {
  const Index inside = block.row - visit.row_tile * step_;
  const isa::ApplyBothJob<double> job{
      tile,   tiles_.whole_rows(block.height), tiles_.whole_cols(block.width),         vectors.count,
      step_,  vectors.by_row.from(block.row),  vectors.by_column.tile(visit.col_tile), nullptr,
      nullptr};
  accumulate_pair<double>(tiles_.ops(), job, visit.row_tile == visit.col_tile, nullptr,
                          visit.sums->tile(visit.row_tile) + offset * step_ + inside,
                          visit.sums->tile(visit.col_tile) + offset * step_);
}

/// By strips of rows that stay in the first-level cache with all that is made of them: K, W = K o Kbar, K' = K o s' and
/// W' = K o Kbar' + K' o Kbar.
void GramPlan::State::visit_along(const Visit& visit) {
  constexpr Index numbers = 1152;  // 9 KiB each
  const Index height = std::max<Index>(numbers / step_ / 8 * 8, 8), features = along_.features.count;
  const double* tile = values(visit);
  double *weights = scratch_->tile(visit.worker, 2), *rate = scratch_->tile(visit.worker, 3);
  double *weights_dot = scratch_->tile(visit.worker, 4), *more = scratch_->tile(visit.worker, 5);
  TileBlock strip = visit.block;
  for (Index row = 0; row < visit.block.height; row += height) {
    strip.row = visit.block.row + row;
    strip.height = std::min(height, visit.block.height - row);
    const double* K = tile + row * isa::tile_size;
    apply_along(visit, strip, K, along_.features_dot, 0);
    gradient_.weigh(strip, K, weights);
    apply_along(visit, strip, weights, along_.directions, features + 1);
    along_.rate.weigh(strip, K, rate);
    apply_along(visit, strip, rate, along_.features, 0);
    along_.gradient_dot.weigh(strip, K, weights_dot);
    gradient_.weigh(strip, rate, more);
    tiles_.ops().add(tiles_.whole_rows(strip.height), tiles_.whole_cols(strip.width), weights_dot, more);
    apply_along(visit, strip, weights_dot, along_.points, features);
  }
}

void GramPlan::State::write_along(MatrixView<const double> Xdot, MatrixView<double> X_bar) {
  const LeafTiles<double>& leaf = tiles_.leaf(0);
  const Index d = dimension(), features = along_.features.count;
  for (Index i = 0; i < size(); ++i) {
    const double* sums = sums_.tile(i / step_) + features * step_ + i % step_;
    const double with_point = sums[0], with_direction = sums[(d + 1) * step_];
    for (Index k = 0; k < d; ++k) {
      const double scale = leaf.frame().scale[static_cast<std::size_t>(k)];
      const double own = with_point * leaf.frame()(shared_->positions(i, k), k) + with_direction * Xdot(i, k) * scale;
      X_bar(i, k) = leaf.kernel().slope_of_value * scale * (sums[(k + 1) * step_] - own);
    }
  }
}

}  // namespace gramian
