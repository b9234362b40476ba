// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/ridge_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/finite.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/inner_product.hpp"
#include "layers/ridge_columns.hpp"
#include "layers/ridge_system.hpp"
#include "layers/rows.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

/// From so many outputs on Phi A Phiᵀ is formed, in the memory of the system: half the operations of its tiles on the fly, which
/// fall out of the cache.
constexpr Index dense_outputs = 256;

std::string shape(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

template <class T>
void require_shape(MatrixView<T> A, Index rows, Index cols, const char* name) {
  require(A.rows() == rows && A.cols() == cols,
          std::string(name) + " is " + shape(A.rows(), A.cols()) + ", it must be " + shape(rows, cols));
}

void ensure(Matrix& A, Index rows, Index cols) {
  if (A.rows() != rows || A.cols() != cols) A = Matrix(rows, cols);
}

/// a K + shift I for the lower triangle of K.
void scale_and_shift(MatrixView<double> K, double a, double shift) {
  if (a != 1.0) {
    for_rows(K.rows(), K.rows() / 2, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        for (Index j = 0; j <= i; ++j) K(i, j) *= a;
      }
    });
  }
  for (Index i = 0; i < K.rows(); ++i) K(i, i) += shift;
}

const KernelLayer& checked(const KernelLayer& layer, MatrixView<const double> targets, Index code_size) {
  require(layer.terms.size() == 1, "the last layer has " + std::to_string(layer.terms.size()) +
                                       " terms; a layer that is solved for has one: add kernels up, or train it jointly");
  require(
      std::isfinite(layer.penalty) && layer.penalty > 0.0,
      "alpha, the penalty of the last layer, must be a finite number greater than 0: without it there is nothing to solve for");
  require(!targets.empty(), "targets are empty");
  require(layer.outputs() == targets.cols(), "the last layer has " + std::to_string(layer.outputs()) + " outputs, targets have " +
                                                 std::to_string(targets.cols()) + " columns");
  require(code_size > 0, "code_size must be greater than 0");
  require(all_finite(targets), "targets have an entry that is not finite");
  return layer;
}

}  // namespace

struct RidgeOutput::State {
  State(const KernelLayer& layer, MatrixView<const double> targets, Index code_size)
      : kernel(checked(layer, targets, code_size).terms.front().kernel),
        A(layer.terms.front().A),
        lambda(layer.penalty),
        C(targets),
        p(code_size),
        columns(A, C) {}

  Index n() const { return C.rows(); }
  Index r() const { return C.cols(); }
  double ridge() const { return static_cast<double>(n()) * lambda; }

  void move_to(MatrixView<const double> Z);
  double solve_group(const RidgeGroup& group, double& penalty);
  double solve();
  void write_gradient(MatrixView<const double> Z, MatrixView<double> Zbar);
  void write_dense_gradient(MatrixView<const double> Z, MatrixView<double> Zbar);
  double solve_landmarks(MatrixView<const double> Z, MatrixView<const double> S);
  void write_gradients(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar, MatrixView<double> Sbar);
  double evaluate_at(MatrixView<const double> given, MatrixView<double> Zbar);

  Kernel kernel;
  OutputOperator A;
  double lambda;
  MatrixView<const double> C;
  Index p;
  RidgeColumns columns;

  std::optional<GramPlan> plan{};
  RidgeSystem system{};
  std::vector<double> penalties{};  // of each group: lambda, and what jitter adds to it
  Matrix Phi{}, Psi{};              // Psi: in the eigenbasis of A, unless that is the identity
  Matrix cross{}, residual{}, weights{};
  double distortion = 0.0, squared_norm = 0.0, jitter = 0.0;
};

void RidgeOutput::State::move_to(MatrixView<const double> Z) {
  require_shape(Z, n(), p, "Z");
  if (!plan) plan.emplace(kernel, n(), p, TileStorage::keep);
  plan->move_to(Z);
}

/// (a K + n lambda I) psi = c for the columns of one eigenvalue; returns their part of the minimum, lambda <c, psi>. If the
/// system needs jitter it is that of a larger penalty, and so are its minimum and what is left of the targets.
double RidgeOutput::State::solve_group(const RidgeGroup& group, double& penalty) {
  const MatrixView<const double> targets = part(columns.targets(), 0, n(), group.first, group.count);
  const MatrixView<double> psi = part(Psi.view(), 0, n(), group.first, group.count);
  if (group.a == 0.0) {
    for_entries(psi, [&](Index i, Index k) { psi(i, k) = targets(i, k) / ridge(); });
    const double squares = sum_of_squares(psi);
    if (!std::isfinite(squares)) raise_unsolvable(n(), lambda, "has a solution that overflows");
    const double part_of_distortion = sum_of_squares(targets) / static_cast<double>(n());
    distortion += part_of_distortion;
    return part_of_distortion;
  }
  plan->store_lower(system.matrix());
  scale_and_shift(system.matrix(), group.a, ridge());
  const double added = system.factorize(lambda);
  jitter = std::max(jitter, added);
  const double inner = system.solve_lower(targets, psi);
  const double squares = system.solve_lower_transposed(psi, lambda);
  const double left = ridge() + added;  // times psi: what is left of the targets
  penalty = left / static_cast<double>(n());
  distortion += left * penalty * squares;
  squared_norm += std::max(0.0, inner - left * squares);
  return penalty * inner;
}

double RidgeOutput::State::solve() {
  system.reserve(n());
  ensure(Psi, n(), r());
  distortion = squared_norm = jitter = 0.0;
  double value = 0.0;
  penalties.assign(columns.groups().size(), lambda);
  for (std::size_t g = 0; g < penalties.size(); ++g) value += solve_group(columns.groups()[g], penalties[g]);
  if (!columns.plain()) {
    ensure(Phi, n(), r());
    columns.rotate_back(Psi.view(), Phi.view());
  }
  return value;
}

/// Kbar = -lambda Psi diag(a) Psiᵀ, [KAE] (54): -2 lambda of it from the distortion, as what is left of the targets is n lambda
/// Phi, and lambda from the penalty. Without (14), the distortion's part, the sign would be the wrong one.
void RidgeOutput::State::write_gradient(MatrixView<const double> Z, MatrixView<double> Zbar) {
  const std::vector<RidgeGroup>& groups = columns.groups();
  Index used = 0;  // outputs with a = 0 depend on no code, and are the last
  for (const RidgeGroup& group : groups) used += group.a > 0.0 ? group.count : 0;
  const MatrixView<const double> psi = part(Psi.view(), 0, n(), 0, used);
  const bool dense = used >= dense_outputs;
  if (dense && groups.size() == 1) {
    gemm_symmetric(-penalties[0] * groups[0].a, psi, 0.0, system.matrix());
    return write_dense_gradient(Z, Zbar);
  }
  ensure(weights, n(), r());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double factor = dense ? std::sqrt(penalties[g] * groups[g].a) : -penalties[g] * groups[g].a;
    const MatrixView<double> out = part(weights.view(), 0, n(), groups[g].first, groups[g].count);
    for_entries(out, [&](Index i, Index k) { out(i, k) = factor * Psi(i, groups[g].first + k); });
  }
  const MatrixView<const double> P = part(weights.view(), 0, n(), 0, used);
  if (!dense) return plan->product_and_adjoint({}, {}, P, psi, Zbar);
  gemm_symmetric(-1.0, P, 0.0, system.matrix());
  write_dense_gradient(Z, Zbar);
}

/// Kbar is where the system was.
void RidgeOutput::State::write_dense_gradient(MatrixView<const double> Z, MatrixView<double> Zbar) {
  adjoint(kernel, Z, GramGradient<double>(MatrixView<const double>(system.matrix())), Zbar);
}

/// (C_sᵀC_s + n lambda K_ss) Phi = C_sᵀC. The minimum is taken from the residual, and not from a difference of large numbers.
double RidgeOutput::State::solve_landmarks(MatrixView<const double> Z, MatrixView<const double> S) {
  const Index m = S.rows();
  system.reserve(m);
  if (cross.cols() != m) {
    require_memory(static_cast<std::uint64_t>(checked_product(checked_product(n(), m), sizeof(double))),
                   "the Gram matrix of codes with landmarks", "use fewer landmarks");
  }
  ensure(cross, n(), m);
  ensure(residual, n(), r());
  ensure(Psi, m, r());
  ensure(weights, m, r());
  full(kernel, Z, S, cross.view());
  full(kernel, S, system.matrix());
  const MatrixView<const double> across = transposed(MatrixView<const double>(cross.view()));
  gemm_symmetric(1.0, across, ridge(), system.matrix(), Triangle::lower);
  jitter = system.factorize(lambda);
  gemm(1.0, across, C, 0.0, Psi.view());
  system.solve_lower(Psi.view(), Psi.view());
  const double squares = system.solve_lower_transposed(Psi.view(), lambda);

  copy_rows(C, residual.view());
  gemm(-1.0, cross.view(), Psi.view(), 1.0, residual.view());
  product(kernel, S, Psi.view(), weights.view());
  distortion = sum_of_squares(residual.view()) / static_cast<double>(n());
  squared_norm = std::max(0.0, inner_product(Psi.view(), weights.view()));
  return distortion + lambda * squared_norm + jitter * squares / static_cast<double>(n());
}

void RidgeOutput::State::write_gradients(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar,
                                         MatrixView<double> Sbar) {
  const double factor = -2.0 / static_cast<double>(n());
  for_entries(residual.view(), [&](Index i, Index k) { residual(i, k) *= factor; });
  adjoint(kernel, Z, S, GramGradient<double>(residual.view(), Psi.view()), Zbar, Sbar);
  if (Sbar.empty()) return;
  for_entries(weights.view(), [&](Index i, Index k) { weights(i, k) = lambda * Psi(i, k); });
  Matrix own(S.rows(), p);
  adjoint(kernel, S, GramGradient<double>(weights.view(), Psi.view()), own.view());
  add_rows(own.view(), Sbar);
}

/// Kbar = (lambda Phi - (2/n) R) (Phi A)ᵀ, R = C - K Phi A.
double RidgeOutput::State::evaluate_at(MatrixView<const double> given, MatrixView<double> Zbar) {
  Matrix applied(n(), r()), outputs(n(), r()), left(n(), r());
  A.apply(given, applied.view());
  plan->product(applied.view(), outputs.view());
  squared_norm = std::max(0.0, inner_product(given, outputs.view()));
  const double factor = 2.0 / static_cast<double>(n());
  for_entries(outputs.view(), [&](Index i, Index k) {
    outputs(i, k) = C(i, k) - outputs(i, k);
    left(i, k) = lambda * given(i, k) - factor * outputs(i, k);
  });
  distortion = sum_of_squares(outputs.view()) / static_cast<double>(n());
  if (!Zbar.empty()) plan->product_and_adjoint({}, {}, left.view(), applied.view(), Zbar);
  return distortion + lambda * squared_norm;
}

RidgeOutput::RidgeOutput(const KernelLayer& layer, MatrixView<const double> targets, Index code_size)
    : state_(std::make_unique<State>(layer, targets, code_size)) {}
RidgeOutput::~RidgeOutput() = default;
RidgeOutput::RidgeOutput(RidgeOutput&&) noexcept = default;
RidgeOutput& RidgeOutput::operator=(RidgeOutput&&) noexcept = default;

double RidgeOutput::evaluate(MatrixView<const double> Z, MatrixView<double> Zbar) {
  State& state = *state_;
  state.move_to(Z);
  if (!Zbar.empty()) require_shape(Zbar, state.n(), state.p, "Zbar");
  const double value = state.solve();
  if (!Zbar.empty()) state.write_gradient(Z, Zbar);
  return value;
}

double RidgeOutput::evaluate(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar,
                             MatrixView<double> Sbar) {
  State& state = *state_;
  require(state.A.form() == OutputOperator::Form::identity,
          "with landmarks the last layer's A must be the identity: give all codes as landmarks, or train it jointly");
  require_shape(Z, state.n(), state.p, "Z");
  require(!S.empty(), "S, the codes of the landmarks, is empty");
  require_shape(S, S.rows(), state.p, "S");
  if (!Zbar.empty()) require_shape(Zbar, state.n(), state.p, "Zbar");
  if (!Sbar.empty()) require_shape(Sbar, S.rows(), state.p, "Sbar");
  const double value = state.solve_landmarks(Z, S);
  if (!Zbar.empty() || !Sbar.empty()) state.write_gradients(Z, S, Zbar, Sbar);
  return value;
}

double RidgeOutput::evaluate_at(MatrixView<const double> Phi, MatrixView<const double> Z, MatrixView<double> Zbar) {
  State& state = *state_;
  require_shape(Phi, state.n(), state.r(), "Phi");
  if (!Zbar.empty()) require_shape(Zbar, state.n(), state.p, "Zbar");
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
