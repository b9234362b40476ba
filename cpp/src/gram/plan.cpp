// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/plan.hpp"

#include <string>
#include <utility>

#include "gram/plan_state.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

void require_shape(MatrixView<const double> A, Index rows, Index cols, const char* name) {
  if (A.rows() == rows && A.cols() == cols) return;
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  throw std::invalid_argument(std::string(name) + " is " + shape(A.rows(), A.cols()) + ", it must be " + shape(rows, cols));
}

void require_vectors(MatrixView<const double> V, MatrixView<double> out, Index size) {
  require_shape(V, size, V.cols(), "V");
  require_shape(out, size, V.cols(), "out");
}

constexpr const char* stays = "these points stay, they have neither directions nor a gradient: leave Xdot and X_bar empty";
constexpr const char* nothing_flows_back = "these points stay, nothing flows back to them: make a plan for points that move";
constexpr const char* nowhere_yet = "the points have no positions yet: call move_to() first";

}  // namespace

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

Index GramPlan::size() const { return state_->size(); }

GramPlan GramPlan::sibling() const {
  require(!state_->shared()->moves, "these points move, and each plan moves its own: make another plan instead of a sibling");
  return GramPlan(std::make_unique<State>(state_->shared()));
}

void GramPlan::move_to(MatrixView<const double> X) {
  require(state_->shared()->moves, "these points stay: make a plan from their number and dimension for points that move");
  require_shape(X, size(), state_->dimension(), "X");
  state_->move_to(X);
}

void GramPlan::product(MatrixView<const double> V, MatrixView<double> out) {
  require(state_->shared()->placed, nowhere_yet);
  require_vectors(V, out, size());
  state_->product(V, out);
}

void GramPlan::product_and_adjoint(MatrixView<const double> V, MatrixView<double> out, MatrixView<const double> P,
                                   MatrixView<const double> Q, MatrixView<double> Xbar) {
  require(state_->shared()->moves, nothing_flows_back);
  require(state_->shared()->placed, nowhere_yet);
  if (!V.empty() || !out.empty()) require_vectors(V, out, size());
  require_shape(Xbar, size(), state_->dimension(), "Xbar");
  state_->product_and_adjoint(V, out, GramGradient<double>(P, Q), Xbar);
}

void GramPlan::adjoint_of_symmetric(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar) {
  require(state_->shared()->moves, nothing_flows_back);
  require(state_->shared()->placed, nowhere_yet);
  require_shape(Xbar, size(), state_->dimension(), "Xbar");
  state_->adjoint_of_symmetric(GramGradient<double>(P, Q), Xbar);
}

void GramPlan::trace_gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) {
  require(state_->shared()->placed, nowhere_yet);
  require_vectors(H, H_bar, size());
  if (!state_->shared()->moves) {
    require(X_bar.empty(), stays);
    return state_->product(H, H_bar);
  }
  require_shape(X_bar, size(), state_->dimension(), "X_bar");
  state_->trace_gradient(H, H_bar, X_bar);
}

void GramPlan::trace_hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                             MatrixView<double> H_bar, MatrixView<double> X_bar) {
  require(state_->shared()->placed, nowhere_yet);
  require_vectors(H, H_bar, size());
  require_shape(Hdot, size(), H.cols(), "Hdot");
  if (!state_->shared()->moves) {
    require(Xdot.empty() && X_bar.empty(), stays);
    return state_->product(Hdot, H_bar);
  }
  require_shape(Xdot, size(), state_->dimension(), "Xdot");
  require_shape(X_bar, size(), state_->dimension(), "X_bar");
  state_->trace_hessian(H, Hdot, Xdot, H_bar, X_bar);
}

void GramPlan::store_lower(MatrixView<double> K) {
  require(state_->shared()->placed, nowhere_yet);
  require_shape(K, size(), size(), "K");
  state_->store_lower(K);
}

GramTiles GramPlan::kept_tiles() {
  require(state_->shared()->placed, nowhere_yet);
  require(state_->shared()->kept.has_value(), "this plan keeps no tiles: make it with TileStorage::keep");
  return state_->kept_tiles();
}

}  // namespace gramian
