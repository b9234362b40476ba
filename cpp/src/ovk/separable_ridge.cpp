// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/separable_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/band_form.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian {
namespace {

/// Below, two reductions at a time keep two processors busier than each of them would.
constexpr Index together_below = 1500;
/// Of the shorter one, for n samples: what small matrices take is no products of matrices.
double seconds_to_reduce(Index n) {
  const double side = static_cast<double>(n);
  return side * side * (30e-9 + 20e-12 * side);
}

/// out(i, j) = f(i, j), rows in parallel.
template <class F>
void fill(MatrixView<double> out, F f) {
  parallel_for(out.rows(), 2e-9 * static_cast<double>(out.cols()), [&](Index i, int) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = f(i, j);
  });
}

/// Relative to the norm of B, what it may lack to be positive semi-definite by rounding; far less than eigenvalues may.
constexpr double band_rounding = 64.0 * std::numeric_limits<double>::epsilon();

/// k + n epsilon I may be so many times n epsilon: as many units of rounding is what the conditional covariance loses by a band.
constexpr double most_condition = 1e4;

/// Z B Zᵀ = G^-1 L G^-T with S^-1 = I + k / (n epsilon) = G Gᵀ: unlike S^½ L S^½ it waits for no eigenvector of k. G is empty for
/// the covariance, where S = I.
struct Reduced {
  Reduced(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind) {
    Matrix work = Matrix::copy_of(L);
    const auto* conditional = std::get_if<ConditionalOperator>(&kind);
    if (conditional && !divide_by_factor(k, static_cast<double>(k.rows()) * conditional->epsilon, work)) return;
    if (power_beyond(work.view()) == 0) form.emplace(work.view());
  }

  Matrix G;
  std::optional<BandForm> form;  ///< none if k is indefinite, or L beyond what can be squared

 private:
  bool divide_by_factor(MatrixView<const double> k, double shift, Matrix& work) {
    const Index n = k.rows();
    G = Matrix(n, n);
    fill(G.view(), [&](Index i, Index j) { return k(i, j) / shift + (i == j ? 1.0 : 0.0); });
    try {
      cholesky_in_place(G.view(), {0.0});
    } catch (const NumericalError&) {
      return false;
    }
    solve_lower(G.view(), work.view());
    Matrix turned(n, n);
    fill(turned.view(), [&](Index i, Index j) { return work(j, i); });
    solve_lower(G.view(), turned.view());
    work = std::move(turned);
    return true;
  }
};

/// C for k = U diag(D) Uᵀ. The band takes the place of an eigendecomposition: with F = ZᵀGᵀU column j of ZᵀGᵀC U is
/// B (D_j B + n lambda I)^-1 F_j, and GᵀU = G^-1 U diag(1 + D / (n epsilon)). False if B is not positive semi-definite up to
/// rounding.
bool by_band(const Reduced& reduced, double scale, const Matrix& D, const Matrix& U, double epsilon, double shift,
             MatrixView<double> C) {
  const Index n = U.rows();
  const BandForm& form = *reduced.form;
  const double excess = band_rounding * std::max({form.norm(), scale, std::numeric_limits<double>::min()});
  if (!form.positive(0.5 * excess)) return false;
  Matrix columns(n, n);
  const bool conditional = !reduced.G.empty();
  const double side = static_cast<double>(n), null = null_up_to(D, shift / form.norm());
  fill(columns.view(), [&](Index i, Index j) {
    if (D(j, 0) <= null) return 0.0;
    return conditional ? U(i, j) * (1.0 + D(j, 0) / (side * epsilon)) : U(i, j);
  });
  if (conditional) solve_lower(reduced.G.view(), columns.view());
  form.Z().apply_transposed(columns.view());
  form.divide(D.data(), shift, excess, columns.view());
  form.Z().apply(columns.view());
  if (conditional) solve_lower_transposed(reduced.G.view(), columns.view());
  gemm(1.0, columns.view(), transposed(U.view()), 0.0, C);
  return true;
}

/// The same by a band, where one can be had: false if L is not positive semi-definite up to rounding, or too much would be lost.
bool by_band(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind, double shift,
             MatrixView<double> C) {
  const Index n = k.rows();
  const auto* conditional = std::get_if<ConditionalOperator>(&kind);
  const double epsilon = conditional ? conditional->epsilon : 0.0;
  const bool together = n < together_below;
  if (conditional && !(largest_row(k) <= most_condition * static_cast<double>(n) * epsilon)) return false;
  require_square_memory(n, together ? 10 : 7);
  Matrix D, U;
  std::optional<Reduced> reduced;
  const auto part = [&](Index task, int) { task == 0 ? decompose(k, D, U, "k") : void(reduced.emplace(k, L, kind)); };
  if (together) {
    parallel_for(2, seconds_to_reduce(n), part);
  } else {
    part(0, 0);
    part(1, 0);
  }
  const double scale = conditional ? scale_of(L, roots_of(D, epsilon)) : 0.0;
  return reduced->form && by_band(*reduced, scale, D, U, epsilon, shift, C);
}

}  // namespace

/// [KDE] Prop. 1: C = T A of the scores l(y, y) - 2 L_yᵀ C k_x.
/// [KDE] (13): T A k + n lambda A = I.
void separable_ridge(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind, double lambda,
                     MatrixView<double> C) {
  check_problem(k, L, kind);
  const Index n = k.rows();
  require_shape(C, n, n, "C");
  const double shift = shift_of(lambda, n);
  const bool identity = std::holds_alternative<IdentityOperator>(kind);
  const bool found = identity ? !near_rounding(k, shift) && inverse_with_shift(k, shift, C) : by_band(k, L, kind, shift, C);
  if (!found) return SeparableRidge(k, L, kind).coefficients(lambda, C);
  require_finite_coefficients(C);
}

SeparableRidge::SeparableRidge(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind)
    : kind_(kind) {
  check_problem(k, L, kind);
  const Index n = k.rows();
  require_square_memory(n, 6);
  Matrix &M = form_.M, &P = form_.left, &D = form_.D, &U = form_.right;
  decompose(k, D, U, "k");
  if (identity()) {
    L_ = Matrix::copy_of(L);
    return;
  }
  const auto* conditional = std::get_if<ConditionalOperator>(&kind);
  if (conditional == nullptr) {
    root_ = Matrix::filled(n, 1, 1.0);
    decompose(L, M, P, "L");
    Q_ = times(transposed(U.view()), P.view());
    return;
  }
  require_semidefinite(L, "L");
  root_ = roots_of(D, conditional->epsilon);
  Matrix scaled = in_basis(L, U, root_);
  decompose(scaled.view(), M, Q_, "L", scale_of(L, root_));
  fill(scaled.view(), [&](Index i, Index j) { return root_(i, 0) * Q_(i, j); });
  P = times(U.view(), scaled.view());
}

/// [KDE] (8): the inverse of k ⊗ T + n lambda I in eigenvectors, so that C = P E Uᵀ with E_ij = M_i (Qᵀ S^-½)_ij / (M_i D_j + n
/// lambda).
Matrix SeparableRidge::divided(double shift) const {
  const double null = null_at(shift);
  Matrix E(size(), size());
  fill(E.view(), [&](Index i, Index j) { return form_.D(j, 0) <= null ? 0.0 : form_.M(i, 0) * Q_(j, i) / root_(j, 0); });
  form_.divide(shift, E.view(), E.view());
  return E;
}

double SeparableRidge::null_at(double shift) const {
  return null_up_to(form_.D, identity() ? shift : shift / as_eigen(form_.M.view()).maxCoeff());
}

Matrix SeparableRidge::inverse_values(double shift) const {
  const double null = null_at(shift);
  Matrix out(size(), 1);
  fill(out.view(), [&](Index j, Index) { return form_.D(j, 0) <= null ? 0.0 : 1.0 / (form_.D(j, 0) + shift); });
  return out;
}

void SeparableRidge::coefficients(double lambda, MatrixView<double> C) const {
  require_shape(C, size(), size(), "C");
  const double shift = shift_of(lambda, size());
  if (identity()) {
    const Matrix inverse = inverse_values(shift);
    Matrix scaled(size(), size());
    fill(scaled.view(), [&](Index i, Index j) { return form_.right(i, j) * std::sqrt(inverse(j, 0)); });
    gemm_symmetric(1.0, scaled.view(), 0.0, C);
  } else {
    form_.multiply(divided(shift).view(), C);
  }
  require_finite_coefficients(C);
}

void SeparableRidge::rotate(MatrixView<const double> cross, MatrixView<double> rotated) const {
  require_shape(cross, cross.rows(), size(), "cross");
  require_shape(rotated, cross.rows(), size(), "rotated");
  if (cross.rows() > 0) gemm(1.0, cross, form_.right.view(), 0.0, rotated);
}

void SeparableRidge::weights(double lambda, MatrixView<const double> rotated, MatrixView<double> weights) const {
  require_shape(rotated, rotated.rows(), size(), "rotated");
  require_shape(weights, rotated.rows(), size(), "weights");
  if (rotated.rows() == 0) return;
  const double shift = shift_of(lambda, size());
  Matrix middle(rotated.rows(), size());
  if (identity()) {
    const Matrix inverse = inverse_values(shift);
    fill(middle.view(), [&](Index i, Index j) { return rotated(i, j) * inverse(j, 0); });
  } else {
    gemm(1.0, rotated, transposed(divided(shift).view()), 0.0, middle.view());
  }
  gemm(1.0, middle.view(), transposed((identity() ? form_.right : form_.left).view()), 0.0, weights);
}

/// Phi(y_i) in coordinates in which the operator is diagonal are the rows of R: R Rᵀ = L. [KDE] has one ridge regression for each
/// of them, with kernel M_i k; what is left out is seen by its own a / h.
void SeparableRidge::leave_one_out_residuals(double lambda, Matrix& R, Matrix& residuals) const {
  const Index n = size();
  const Matrix &M = form_.M, &U = form_.right;
  const double shift = shift_of(lambda, n), null = null_at(shift);
  Matrix D = Matrix::copy_of(form_.D.view()), scaled(n, n), squares(n, n);
  for (Index j = 0; j < n; ++j) D(j, 0) = D(j, 0) <= null ? 0.0 : D(j, 0);
  fill(scaled.view(), [&](Index i, Index j) { return Q_(i, j) * std::sqrt(M(j, 0)) / root_(i, 0); });
  R = times(U.view(), scaled.view());
  fill(squares.view(), [&](Index i, Index j) { return scaled(j, i) / (M(i, 0) * D(j, 0) + shift); });
  residuals = times(squares.view(), transposed(U.view()));
  fill(squares.view(), [&](Index i, Index j) { return U(j, i) * U(j, i); });
  fill(scaled.view(), [&](Index i, Index j) { return 1.0 / (M(i, 0) * D(j, 0) + shift); });
  const Matrix h = times(scaled.view(), squares.view());
  fill(residuals.view(), [&](Index i, Index j) { return residuals(i, j) / h(i, j); });
}

/// Phi(y_i) - g_i(x_i) = sum_c V_ci / V_ii Phi(y_c) with V = (k + n lambda I)^-1, here as a multiple whose norm is 1.
void SeparableRidge::leave_one_out_identity(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const {
  const Index n = size();
  const double shift = shift_of(lambda, n), null = null_at(shift);
  const auto value = [&](Index j) { return shift + (form_.D(j, 0) <= null ? 0.0 : form_.D(j, 0)); };
  double least = value(0);
  for (Index j = 1; j < n; ++j) least = std::min(least, value(j));
  Matrix V(n, n), scaled(n, n);
  fill(scaled.view(), [&](Index i, Index j) { return form_.right(i, j) * std::sqrt(least / value(j)); });
  gemm_symmetric(1.0, scaled.view(), 0.0, V.view());
  fill(scaled.view(), [&](Index c, Index i) { return V(c, i) / V(i, i); });
  const Matrix residuals = times(L_.view(), scaled.view());
  const auto sums = as_eigen(scaled.view()).cwiseProduct(as_eigen(residuals.view())).colwise().sum().transpose();
  as_eigen(errors).col(0) = sums.cwiseMax(0.0);
  if (inner == nullptr) return;
  fill(*inner, [&](Index c, Index i) { return L_(c, i) - residuals(c, i); });
}

void SeparableRidge::leave_one_out(double lambda, MatrixView<double> errors, MatrixView<double>* inner) const {
  const Index n = size();
  require_shape(errors, n, 1, "errors");
  if (inner != nullptr) require_shape(*inner, n, n, "inner");
  if (identity()) return leave_one_out_identity(lambda, errors, inner);
  Matrix R, residuals;
  leave_one_out_residuals(lambda, R, residuals);
  as_eigen(errors).col(0) = as_eigen(residuals.view()).colwise().squaredNorm();
  if (inner == nullptr) return;
  fill(residuals.view(), [&](Index o, Index i) { return R(i, o) - residuals(o, i); });
  gemm(1.0, R.view(), residuals.view(), 0.0, *inner);
}

void SeparableRidge::leave_one_out(double lambda, MatrixView<double> errors) const { leave_one_out(lambda, errors, nullptr); }

void SeparableRidge::leave_one_out(double lambda, MatrixView<double> errors, MatrixView<double> inner) const {
  leave_one_out(lambda, errors, &inner);
}

}  // namespace gramian
