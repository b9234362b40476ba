// SPDX-License-Identifier: BSD-3-Clause
#include "gram/plan_state.hpp"

#include <algorithm>
#include <utility>

#include "gram/accumulate.hpp"
#include "gram/backprop.hpp"
#include "gram/finite.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

void copy_row(const double* from, Index count, double* to, Index stride) {
  if (stride == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (Index j = 0; j < count; ++j) to[j * stride] = from[j];
}

}  // namespace

GramPlan::State::State(std::shared_ptr<PlanTiles> shared)
    : shared_(std::move(shared)),
      tiles_(shared_->tiles),
      step_(shared_->step),
      way_(way_of(tiles_)),
      reverse_(tiles_, step_, {}) {}

GramPlan::State::Way GramPlan::State::way_of(const KernelTiles<double>& tiles) {
  if (tiles.tree().kind != NodeKind::leaf) return Way::tree;
  const LeafTiles<double>& leaf = tiles.leaf(0);
  if (leaf.form() == LeafForm::coordinate) return Way::coordinates;
  return leaf.kernel().slope_of_value != 0.0 ? Way::weighed : Way::pairs;
}

void GramPlan::State::move_to(MatrixView<const double> X) {
  reverse_holds_ = false;
  shared_->move_to(X);
}

void GramPlan::State::make_scratch(double seconds, Index more_tiles) {
  const int workers = max_workers(seconds);
  const Index tiles = 1 + std::max({tiles_.tree().depth(), backprop_depth(tiles_.tree()), more_tiles});
  if (workers <= workers_ && tiles <= scratch_tiles_) return;
  workers_ = std::max(workers, workers_);
  scratch_tiles_ = std::max(tiles, scratch_tiles_);
  scratch_.emplace(scratch_tiles_, reverse_.scratch_numbers(), workers_);
}

void GramPlan::State::take_vectors(MatrixView<const double> V) {
  vectors_ = V.empty() ? 0 : V.cols();
  by_row_.assign(V, step_);
  by_column_.assign(V, step_);
}

double GramPlan::State::seconds_per_pair(Index vectors) const {
  return static_cast<double>(step_ * step_) * (tiles_.seconds_per_entry() + 0.03e-9 * static_cast<double>(vectors));
}

GramPlan::State::Visit GramPlan::State::visit_of(TilePair pair, int worker, bool reads_kept, BlockSums* sums) const {
  // Once a row of tiles is often enough: they are small where there are few.
  if (worker == 0 && pair.col == 0) poll_stop();
  const Index row = pair.row * step_, col = pair.col * step_;
  const TileBlock block{row, std::min(step_, size() - row), col, std::min(step_, size() - col)};
  return {block, pair.row, pair.col, worker, reads_kept, sums};
}

const double* GramPlan::State::values(const Visit& visit) {
  double* tile = shared_->kept ? shared_->kept->tile(visit.row_tile, visit.col_tile) : scratch_->tile(visit.worker, 0);
  if (!visit.reads_kept) tiles_.evaluate(visit.block, tile, scratch_->tile(visit.worker, 1));
  return tile;
}

void GramPlan::State::apply(const Visit& visit, const TileBlock& block, const double* tile) {
  if (vectors_ == 0) return;
  const Index offset = visit.sums->tile_numbers() - vectors_ * step_, inside = block.row - visit.row_tile * step_;
  const isa::ApplyBothJob<double> job{tile,   tiles_.whole_rows(block.height), tiles_.whole_cols(block.width),  vectors_,
                                      step_,  by_row_.from(block.row),         by_column_.tile(visit.col_tile), nullptr,
                                      nullptr};
  accumulate_pair<double>(tiles_.ops(), job, visit.row_tile == visit.col_tile, nullptr,
                          visit.sums->tile(visit.row_tile) + offset + inside, visit.sums->tile(visit.col_tile) + offset);
}

void GramPlan::State::product(MatrixView<const double> V, MatrixView<double> out) {
  if (out.empty()) return;
  take_vectors(V);
  sweep(seconds_per_pair(vectors_), vectors_ * step_, true,
        [&](const Visit& visit) { apply(visit, visit.block, values(visit)); });
  sums_.write(out, step_);
}

ReversePlace<double> GramPlan::State::place_of(const Visit& visit) {
  return {visit.block, visit.row_tile, visit.col_tile, visit.row_tile == visit.col_tile, scratch_->extra(visit.worker),
          visit.sums,  nullptr};
}

void GramPlan::State::reverse(const Visit& visit) {
  switch (way_) {
    case Way::weighed: return reverse_weighed(visit);
    case Way::pairs: return reverse_pairs(visit);
    case Way::coordinates: return reverse_coordinates(visit);
    case Way::tree: return reverse_tree(visit);
  }
}

/// By strips of rows that stay in the first-level cache, with their weights, until all is done with them.
void GramPlan::State::reverse_weighed(const Visit& visit) {
  constexpr Index numbers = 2304;  // 18 KiB
  const double* tile = values(visit);
  double* weights = scratch_->tile(visit.worker, 1);
  const Index height = numbers / step_ / 8 * 8;
  ReversePlace<double> strip = place_of(visit);
  for (Index row = 0; row < visit.block.height; row += height) {
    strip.block.row = visit.block.row + row;
    strip.block.height = std::min(height, visit.block.height - row);
    gradient_.weigh(strip.block, tile + row * isa::tile_size, weights);
    apply(visit, strip.block, tile + row * isa::tile_size);
    reverse_.add_weights(0, strip, weights);
  }
}

void GramPlan::State::reverse_pairs(const Visit& visit) {
  double *tile = scratch_->tile(visit.worker, 0), *Kbar = scratch_->tile(visit.worker, 1);
  gradient_.evaluate(visit.block, Kbar);
  tiles_.leaf(0).raw(visit.block, tile);
  reverse_.add_pairs(tiles_.tree(), place_of(visit), Kbar, tile);
  tiles_.finish(visit.block, tile);
  apply(visit, visit.block, tile);
}

void GramPlan::State::reverse_coordinates(const Visit& visit) {
  const double* tile = values(visit);
  double* weights = scratch_->tile(visit.worker, 1);
  gradient_.weigh(visit.block, tile, weights);
  apply(visit, visit.block, tile);
  reverse_.add_coordinates(tiles_.tree(), place_of(visit), weights);
}

void GramPlan::State::reverse_tree(const Visit& visit) {
  if (vectors_ > 0) apply(visit, visit.block, values(visit));
  double* Kbar = scratch_->tile(visit.worker, 0);
  const ReversePlace<double> place = place_of(visit);
  gradient_.evaluate(visit.block, Kbar);
  backprop(tiles_, tiles_.tree(), visit.block, Kbar, scratch_->tile(visit.worker, 1), static_cast<double*>(nullptr),
           [&](const KernelTree& part, double* weights, double* scratch) { reverse_.add_leaf(part, place, weights, scratch); });
}

void GramPlan::State::product_and_adjoint(MatrixView<const double> V, MatrixView<double> out, const GramGradient<double>& Kbar,
                                          MatrixView<double> Xbar) {
  take_vectors(V);
  gradient_.assign(Kbar, size(), size(), true);
  rank_ = 2 * Kbar.P().cols();
  reverse_sweep(out, Xbar);
}

/// Both roles of a pair are twice the first one.
void GramPlan::State::adjoint_of_symmetric(const GramGradient<double>& Kbar, MatrixView<double> Xbar) {
  take_vectors({});
  gradient_.assign(Kbar, size(), size(), false);
  rank_ = Kbar.P().cols();
  reverse_sweep({}, Xbar, 2.0);
}

/// The gradient in the points comes with a factor.
void GramPlan::State::reverse_sweep(MatrixView<double> out, MatrixView<double> Xbar, double times) {
  if (Xbar.empty() && out.empty()) return;
  if (!reverse_holds_) reverse_.take_points();
  reverse_holds_ = true;
  const double seconds = 2.0 * seconds_per_pair(vectors_ + rank_ + source_dimension());
  const bool needs_values = way_ == Way::weighed || way_ == Way::coordinates || (way_ == Way::tree && vectors_ > 0);
  sweep(seconds, reverse_.numbers() + vectors_ * step_, needs_values, [&](const Visit& visit) { reverse(visit); });
  if (!out.empty()) sums_.write(out, step_, reverse_.numbers());
  const double factor = times * (way_ == Way::weighed ? tiles_.leaf(0).kernel().slope_of_value : 1.0);
  PointImages<double>* images = tiles_.images();
  const bool pulls_back = images != nullptr && !Xbar.empty();
  reverse_.write(pulls_back ? images->bar(true) : Xbar, tiles_.source().x(), sums_, 0, nullptr, factor);
  if (pulls_back) images->pull_back(true, Xbar);
  require_finite(Xbar);
}

template <class Each>
void GramPlan::State::visit_tiles(KeptTurn& turn, Each each) {
  make_scratch(seconds_per_pair(0) * static_cast<double>(pair_count()));
  parallel_for(pair_count(), seconds_per_pair(0), [&](Index task, int worker) {
    const Visit visit = visit_of(pair_in_triangle(task), worker, turn.reads(), nullptr);
    each(visit, values(visit));
  });
  turn.done();
}

void GramPlan::State::store_lower(MatrixView<double> K) {
  KeptTurn turn(*shared_);
  visit_tiles(turn, [&](const Visit& visit, const double* tile) {
    for (Index i = 0; i < visit.block.height; ++i) {
      const Index width = visit.row_tile == visit.col_tile ? i + 1 : visit.block.width;
      copy_row(tile + i * isa::tile_size, width, &K(visit.block.row + i, visit.block.col), K.col_stride());
    }
  });
}

GramTiles GramPlan::State::kept_tiles() {
  KeptTurn turn(*shared_);
  if (!turn.reads()) visit_tiles(turn, [](const Visit&, const double*) {});
  return shared_->kept->view();
}

}  // namespace gramian
