// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gram/along_sweep.hpp"
#include "gram/plan_tiles.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

void require_vectors(MatrixView<const double> V, MatrixView<double> out, Index size) {
  require_shape(V, size, V.cols(), "V");
  require_shape(out, size, V.cols(), "out");
}

constexpr const char* stays = "these points stay, they have neither directions nor a gradient: leave Xdot and X_bar empty";

}  // namespace

/// What a plan holds from one sweep to the next.
struct GramPlan::State {
  explicit State(std::shared_ptr<PlanTiles> tiles) : shared(std::move(tiles)), sweep(shared->tiles, shared->kept_or_null()) {}

  void require_placed() const { require(shared->placed, "the points have no positions yet: call move_to() first"); }
  void require_points() const {
    require(shared->moves, "these points stay, nothing flows back to them: make a plan for points that move");
    require_placed();
  }

  std::shared_ptr<PlanTiles> shared;
  AlongSweep sweep;
};

GramPlan::GramPlan(const Kernel& kernel, const Points& X, TileStorage storage)
    : state_(std::make_unique<State>(std::make_shared<PlanTiles>(kernel, PairSource<double>(X), storage))) {}

GramPlan::GramPlan(const Kernel& kernel, const InnerProducts<double>& XX, TileStorage storage) {
  require(XX.one_set(), "a plan is for one set of points: give the inner products of one set");
  state_ = std::make_unique<State>(std::make_shared<PlanTiles>(kernel, PairSource<double>(XX), storage));
}

GramPlan::GramPlan(const Kernel& kernel, Index size, Index dimension, TileStorage storage)
    : state_(std::make_unique<State>(std::make_shared<PlanTiles>(kernel, size, dimension, storage))) {}

GramPlan::GramPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}

GramPlan::~GramPlan() = default;
GramPlan::GramPlan(GramPlan&&) noexcept = default;
GramPlan& GramPlan::operator=(GramPlan&&) noexcept = default;

Index GramPlan::size() const { return state_->shared->tiles.rows(); }

GramPlan GramPlan::sibling() const {
  require(!state_->shared->moves, "these points move, and each plan moves its own: make another plan instead of a sibling");
  return GramPlan(std::make_unique<State>(state_->shared));
}

void GramPlan::move_to(MatrixView<const double> X) {
  require(state_->shared->moves, "these points stay: make a plan from their number and dimension for points that move");
  require_shape(X, size(), state_->shared->dimension(), "X");
  state_->sweep.forget_points();
  state_->shared->move_to(X);
}

void GramPlan::product(MatrixView<const double> V, MatrixView<double> out) {
  state_->require_placed();
  require_vectors(V, out, size());
  state_->sweep.product(V, out);
}

void GramPlan::product_and_adjoint(MatrixView<const double> V, MatrixView<double> out, MatrixView<const double> P,
                                   MatrixView<const double> Q, MatrixView<double> Xbar) {
  state_->require_points();
  if (!V.empty() || !out.empty()) require_vectors(V, out, size());
  require_shape(Xbar, size(), state_->shared->dimension(), "Xbar");
  if (Xbar.empty() && out.empty()) return;
  state_->sweep.adjoint(GramGradient<double>(P, Q), true, {}, V);
  if (!out.empty()) state_->sweep.write_product(out);
  state_->sweep.write_points(Xbar, true);
}

/// Both roles of a pair are twice the first one.
void GramPlan::adjoint_of_symmetric(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar) {
  state_->require_points();
  require_shape(Xbar, size(), state_->shared->dimension(), "Xbar");
  if (Xbar.empty()) return;
  state_->sweep.adjoint(GramGradient<double>(P, Q), false, {});
  state_->sweep.write_points(Xbar, true, 2.0);
}

/// H Hᵀ is symmetric: as a weight of pairs that are visited once it stands for half of both roles, which is the first one alone.
void GramPlan::trace_gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) {
  state_->require_placed();
  require_vectors(H, H_bar, size());
  if (!state_->shared->moves) {
    require(X_bar.empty(), stays);
    return state_->sweep.product(H, H_bar);
  }
  require_shape(X_bar, size(), state_->shared->dimension(), "X_bar");
  if (X_bar.empty() && H_bar.empty()) return;
  state_->sweep.adjoint(GramGradient<double>(H, H), false, {}, H);
  if (!H_bar.empty()) state_->sweep.write_product(H_bar);
  state_->sweep.write_points(X_bar, true);
}

void GramPlan::trace_hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                             MatrixView<double> H_bar, MatrixView<double> X_bar) {
  state_->require_placed();
  require_vectors(H, H_bar, size());
  require_shape(Hdot, size(), H.cols(), "Hdot");
  if (!state_->shared->moves) {
    require(Xdot.empty() && X_bar.empty(), stays);
    return state_->sweep.product(Hdot, H_bar);
  }
  require_shape(Xdot, size(), state_->shared->dimension(), "Xdot");
  require_shape(X_bar, size(), state_->shared->dimension(), "X_bar");
  if (X_bar.empty() && H_bar.empty()) return;
  state_->sweep.along(GramGradient<double>(H, H), false, GramGradient<double>(Hdot, H), {Xdot, Xdot, H, Hdot});
  state_->sweep.write_product_along(H_bar);
  state_->sweep.write_points_along(X_bar, true);
}

void GramPlan::store_lower(MatrixView<double> K) {
  state_->require_placed();
  require_shape(K, size(), size(), "K");
  state_->sweep.evaluate(0, [&](const TileVisit& visit, const double* tile) {
    for (Index i = 0; i < visit.block.height; ++i) {
      const double* from = tile + i * isa::tile_size;
      const Index width = visit.diagonal ? i + 1 : visit.block.width;
      double* to = &K(visit.block.row + i, visit.block.col);
      if (K.col_stride() == 1) {
        std::copy_n(from, width, to);
      } else {
        for (Index j = 0; j < width; ++j) to[j * K.col_stride()] = from[j];
      }
    }
  });
}

GramTiles GramPlan::kept_tiles() {
  state_->require_placed();
  require(state_->shared->kept.has_value(), "this plan keeps no tiles: make it with TileStorage::keep");
  state_->sweep.keep();
  return state_->shared->kept->view();
}

}  // namespace gramian
