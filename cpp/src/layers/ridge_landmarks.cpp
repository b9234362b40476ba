// SPDX-License-Identifier: BSD-3-Clause
// The last layer's ridge regression on codes that landmarks support, and on codes that stay.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/source.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/ridge_state.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {

class LandmarkGrams {
 public:
  virtual ~LandmarkGrams() = default;
  virtual Index landmarks() const = 0;
  virtual void cross(const Kernel& kernel, MatrixView<double> C) const = 0;                                      ///< C_s
  virtual void own(const Kernel& kernel, MatrixView<double> K) const = 0;                                        ///< K_ss
  virtual void own_product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const = 0;  ///< K_ss V
};

namespace {

class MovingGrams final : public LandmarkGrams {
 public:
  MovingGrams(MatrixView<const double> Z, MatrixView<const double> S) : Z_(Z), S_(S) {}
  Index landmarks() const override { return S_.rows(); }
  void cross(const Kernel& kernel, MatrixView<double> C) const override { full(kernel, Z_, S_, C); }
  void own(const Kernel& kernel, MatrixView<double> K) const override { full(kernel, S_, K); }
  void own_product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const override {
    product(kernel, S_, V, out);
  }

 private:
  MatrixView<const double> Z_, S_;
};

class InputGrams final : public LandmarkGrams {
 public:
  InputGrams(const PointSource& input, const std::vector<Index>& rows)
      : pairs_(input, {}, rows), picked_(input, rows), count_(static_cast<Index>(rows.size())) {}
  Index landmarks() const override { return count_; }
  void cross(const Kernel& kernel, MatrixView<double> C) const override { pairs_.full(kernel, C); }
  void own(const Kernel& kernel, MatrixView<double> K) const override { full(kernel, picked_.source(), K); }
  void own_product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const override {
    product(kernel, picked_.source(), V, out);
  }

 private:
  PickedPairs pairs_;
  PickedRows picked_;
  Index count_;
};

}  // namespace

/// (C_sᵀDC_s + n lambda K_ss) Phi = C_sᵀDC, D = diag(weights). The minimum is taken from the residual, and not from a difference
/// of large numbers.
double RidgeOutput::State::solve_landmarks(const LandmarkGrams& grams) {
  require(!interpolate, "with landmarks there are fewer functions than targets to meet: interpolate without them");
  const Index m = grams.landmarks();
  system.reserve(m);
  if (cross.cols() != m) {
    require_memory(bytes_of(n(), m), "the Gram matrix of codes with landmarks", "use fewer landmarks");
  }
  ensure_shape(cross, n(), m);
  ensure_shape(residual, n(), r());
  ensure_shape(Psi, m, r());
  ensure_shape(products, m, r());
  grams.cross(kernel, cross.view());
  grams.own(kernel, system.matrix());
  copy_rows(C, residual.view());
  if (!weights.empty()) {
    for_entries(cross.view(), [&](Index i, Index k) { cross(i, k) *= std::sqrt(weight(i)); });
    for_entries(residual.view(), [&](Index i, Index k) { residual(i, k) *= std::sqrt(weight(i)); });
  }
  const MatrixView<const double> across = transposed(MatrixView<const double>(cross.view()));
  gemm_symmetric(1.0, across, ridge(), system.matrix(), Triangle::lower);
  jitter = system.factorize(lambda);
  gemm(1.0, across, residual.view(), 0.0, Psi.view());
  system.solve_lower(Psi.view(), Psi.view());
  const double squares = system.solve_lower_transposed(Psi.view(), lambda);

  gemm(-1.0, cross.view(), Psi.view(), 1.0, residual.view());
  grams.own_product(kernel, Psi.view(), products.view());
  distortion = sum_of_squares(residual.view()) / divisor;
  squared_norm = std::max(0.0, inner_product(Psi.view(), products.view()));
  return distortion + lambda * squared_norm + jitter * squares / divisor;
}

void RidgeOutput::State::write_gradients(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar,
                                         MatrixView<double> Sbar) {
  const double factor = -2.0 / divisor;
  for_entries(residual.view(),
              [&](Index i, Index k) { residual(i, k) *= weights.empty() ? factor : factor * std::sqrt(weight(i)); });
  adjoint(kernel, Z, S, GramGradient<double>(residual.view(), Psi.view()), Zbar, Sbar);
  if (Sbar.empty()) return;
  for_entries(products.view(), [&](Index i, Index k) { products(i, k) = lambda * Psi(i, k); });
  Matrix own(S.rows(), p);
  adjoint(kernel, S, GramGradient<double>(products.view(), Psi.view()), own.view());
  add_rows(own.view(), Sbar);
}

double RidgeOutput::evaluate(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar,
                             MatrixView<double> Sbar) {
  State& state = *state_;
  require(state.A.form() == OutputOperator::Form::identity,
          "with landmarks the last layer's A must be the identity: give all codes as landmarks, or train it jointly");
  require_shape(Z, state.n(), state.p, "Z");
  require(!S.empty(), "S, the codes of the landmarks, is empty");
  require_shape(S, S.rows(), state.p, "S");
  require_shape_or_empty(Zbar, state.n(), state.p, "Zbar");
  require_shape_or_empty(Sbar, S.rows(), state.p, "Sbar");
  const double value = state.solve_landmarks(MovingGrams(Z, S));
  if (!Zbar.empty() || !Sbar.empty()) state.write_gradients(Z, S, Zbar, Sbar);
  return value;
}

double RidgeOutput::evaluate(const PointSource& codes, const std::vector<Index>& landmarks) {
  State& state = *state_;
  require(codes.size() == state.n(), "there must be as many codes as targets");
  if (!landmarks.empty()) {
    require(state.A.form() == OutputOperator::Form::identity, "with landmarks the last layer's A must be the identity");
    return state.solve_landmarks(InputGrams(codes, landmarks));
  }
  state.keeps_tiles = false;
  state.plan.emplace(plan_of(state.kernel, codes, TileStorage::recompute));
  const double value = state.solve();
  state.plan.reset();  // of codes that stay
  return value;
}

}  // namespace gramian
