// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/iterative.hpp"

#include <algorithm>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/linalg/low_rank_inverse.hpp"
#include "models/kernel_ridge/checks.hpp"

namespace gramian::kernel_ridge {

RegressionOperator::RegressionOperator(const GramSource& X, const std::vector<double>& roots, Scalar precision)
    : size_(X.size()), roots_(roots) {
  if (X.stored()) {
    stored_.emplace(X.gram());
  } else {
    points_.emplace(X.kernel(), X.points(), 0.0, precision);
  }
}

const SymmetricOperator& RegressionOperator::gram() const {
  return points_ ? static_cast<const SymmetricOperator&>(*points_) : *stored_;
}

double RegressionOperator::unit_roundoff() const { return gram().unit_roundoff(); }

void RegressionOperator::apply(MatrixView<const double> V, MatrixView<double> out) const {
  if (roots_.empty()) {
    gram().apply(V, out);
  } else {
    Matrix scaled = Matrix::copy_of(V);
    scale_rows(roots_, scaled.view());
    gram().apply(scaled.view(), out);
    scale_rows(roots_, out);
  }
  for_entries(out, [&](Index i, Index j) { out(i, j) += alpha_ * V(i, j); });
}

namespace {

constexpr Index most_stored_columns = 1024;

/// Of a matrix that was given, with columns until what is left is below alpha on average.
IncompleteCholesky factor_of(const GramSource& X, double alpha) {
  if (!X.stored()) return adaptive_factor(X.kernel(), X.points(), alpha);
  double trace = 0.0;
  for (Index i = 0; i < X.size(); ++i) trace += X.gram()(i, i);
  IncompleteCholeskyOptions options;
  options.max_rank = std::min(most_stored_columns, X.size());
  if (trace > 0.0) options.tolerance = std::min(1.0, static_cast<double>(X.size()) * alpha / trace);
  return low_rank(X, options, "X");
}

LowRankInverse inverse_of(const GramSource& X, const std::vector<double>& roots, double alpha) {
  double squares = 0.0;
  for (const double root : roots) squares += root * root;
  const double weight = roots.empty() ? 1.0 : squares / static_cast<double>(roots.size());
  const IncompleteCholesky F = factor_of(X, alpha / weight);
  if (roots.empty()) return {F.factor(), alpha};
  Matrix scaled = Matrix::copy_of(F.factor());
  scale_rows(roots, scaled.view());
  return {scaled.view(), alpha};
}

/// |S y - S K S z|^2 + alpha zᵀ S K S z, by the residual r of the system.
ValueOfColumn objective(double alpha) {
  return [alpha](const double* z, const double* r, const double* b, Index n) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += r[i] * r[i] + alpha * z[i] * (r[i] + b[i]);
    return sum;
  };
}

}  // namespace

void solve_by_iterations(const GramSource& X, const Options& options, const std::vector<double>& roots, Fit& out,
                         Observer* observer) {
  RegressionOperator system(X, roots, options.precision);
  ConjugateGradientsOptions limits;
  limits.tolerance = options.tolerance;
  limits.max_iterations = options.max_iterations;
  by_alpha(options.alphas, out.coefficients.view(), [&](double alpha, MatrixView<double> columns) {
    if (out.stop_reason == SolverStop::observer) return fill_zero(columns);
    system.set_alpha(alpha);
    const LowRankInverse inverse = inverse_of(X, roots, alpha);
    take(conjugate_gradients(system, columns, limits, &inverse, observer, {{}, objective(alpha)}), columns, out);
  });
}

}  // namespace gramian::kernel_ridge
