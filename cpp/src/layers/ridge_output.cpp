// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/ridge_output.hpp"

#include <utility>

#include "base/check.hpp"
#include "layers/ridge_state.hpp"

namespace gramian {

RidgeOutput::RidgeOutput(const KernelLayer& layer, MatrixView<const double> targets, Index code_size, RidgeOutputOptions options)
    : state_(std::make_unique<State>(layer, targets, code_size, std::move(options))) {}
RidgeOutput::~RidgeOutput() = default;
RidgeOutput::RidgeOutput(RidgeOutput&&) noexcept = default;
RidgeOutput& RidgeOutput::operator=(RidgeOutput&&) noexcept = default;

double RidgeOutput::evaluate(MatrixView<const double> Z, MatrixView<double> Zbar) {
  State& state = *state_;
  state.move_to(Z);
  require_shape_or_empty(Zbar, state.n(), state.p, "Zbar");
  const double value = state.solve();
  if (!Zbar.empty()) state.write_gradient(Z, Zbar);
  return value;
}

double RidgeOutput::evaluate_at(MatrixView<const double> Phi, MatrixView<const double> Z, MatrixView<double> Zbar) {
  State& state = *state_;
  require_shape(Phi, state.n(), state.r(), "Phi");
  require_shape_or_empty(Zbar, state.n(), state.p, "Zbar");
  state.move_to(Z);
  return state.evaluate_at(Phi, Zbar);
}

MatrixView<const double> RidgeOutput::coefficients() const {
  return state_->columns.plain() ? state_->Psi.view() : state_->Phi.view();
}
double RidgeOutput::distortion() const { return state_->distortion; }
double RidgeOutput::squared_norm() const { return state_->squared_norm; }
double RidgeOutput::jitter() const { return state_->jitter; }

}  // namespace gramian
