// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/view_ops.hpp"
#include "gram/nystrom_inverse.hpp"
#include "gram/source.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/linalg/low_rank_inverse.hpp"
#include "models/kernel_ridge/checks.hpp"
#include "models/kernel_ridge/validated.hpp"

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

/// With products of float32, columns of it too, unless the kernel has no bound or alpha is near their rounding.
bool takes_rounded_columns(const GramSource& X, Scalar precision, double alpha) {
  if (precision != Scalar::float32 || X.stored()) return false;
  const double largest = X.kernel().supremum();
  return std::isfinite(largest) && alpha >= NystromInverse::least_shift(X.size(), largest);
}

std::unique_ptr<Preconditioner> inverse_of(const GramSource& X, const std::vector<double>& roots, double alpha,
                                           Scalar precision) {
  double squares = 0.0;
  for (const double root : roots) squares += root * root;
  const double weight = roots.empty() ? 1.0 : squares / static_cast<double>(roots.size());
  if (takes_rounded_columns(X, precision, alpha / weight)) {
    const std::vector<Index> pivots = nystrom_pivots(X.kernel(), X.points(), alpha / weight);
    return std::make_unique<NystromInverse>(X.kernel(), X.points(), pivots, roots, alpha);
  }
  const IncompleteCholesky F = factor_of(X, alpha / weight);
  if (roots.empty()) return std::make_unique<LowRankInverse>(F.factor(), alpha);
  Matrix scaled = Matrix::copy_of(F.factor());
  scale_rows(roots, scaled.view());
  return std::make_unique<LowRankInverse>(scaled.view(), alpha);
}

/// |S y - S K S z|^2 + alpha zᵀ S K S z, by the residual r of the system.
ValueOfColumn objective(double alpha) {
  return [alpha](const double* z, const double* r, const double* b, Index n) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += r[i] * r[i] + alpha * z[i] * (r[i] + b[i]);
    return sum;
  };
}

/// S^-1 c, zero for samples of weight 0; empty for empty coefficients.
Matrix scaled_start(MatrixView<const double> coefficients, const std::vector<double>& roots) {
  if (coefficients.empty()) return {};
  Matrix scaled = Matrix::copy_of(coefficients);
  if (roots.empty()) return scaled;
  for_entries(scaled.view(), [&](Index i, Index j) {
    const double root = roots[at(i)];
    scaled(i, j) = root > 0.0 ? scaled(i, j) / root : 0.0;
  });
  return scaled;
}

/// |b - A x| / |b| of each column; 0 where b = 0.
std::vector<double> residuals_of(const SymmetricOperator& A, MatrixView<const double> B, MatrixView<const double> X) {
  Matrix image(X.rows(), X.cols());
  A.apply(X, image.view());
  std::vector<double> found;
  for (Index j = 0; j < X.cols(); ++j) {
    double rest = 0.0, all = 0.0;
    for (Index i = 0; i < X.rows(); ++i) {
      rest += (B(i, j) - image(i, j)) * (B(i, j) - image(i, j));
      all += B(i, j) * B(i, j);
    }
    found.push_back(all > 0.0 ? std::sqrt(rest / all) : 0.0);
  }
  return found;
}

/// The iterate with the best score takes the place of the last one. right: S y.
void keep_best(Validated& scores, const SymmetricOperator& A, const Matrix& right, Fit& out) {
  scores.finish(out.iterations, out.coefficients.data());
  out.scores = scores.scores(out.iterations);
  out.best_iteration = scores.best_iteration();
  out.ended_by_scores = scores.ended() && out.stop_reason == SolverStop::observer;
  if (out.best_iteration == out.iterations) return;
  copy_rows(scores.best().view(), out.coefficients.view());
  out.residuals = residuals_of(A, right.view(), out.coefficients.view());
  out.objective = out.history[at(out.best_iteration)].value;
}

}  // namespace

void solve_by_iterations(const GramSource& X, const Options& options, const std::vector<double>& roots, Fit& out,
                         Observer* observer, const Validation* validation, MatrixView<const double> start) {
  std::optional<Validated> scores;
  Matrix right;
  if (validation != nullptr) {
    scores.emplace(X.kernel(), X.points(), out.coefficients.cols(), roots, *validation, options.precision, observer);
    right = out.coefficients.clone();
    observer = &*scores;
  }
  RegressionOperator system(X, roots, options.precision);
  ConjugateGradientsOptions limits;
  limits.tolerance = options.tolerance;
  limits.max_iterations = options.max_iterations;
  const Matrix begin = scaled_start(start, roots);
  Index next = 0;
  by_alpha(options.alphas, out.coefficients.view(), [&](double alpha, MatrixView<double> columns) {
    if (out.stop_reason == SolverStop::observer) return fill_zero(columns);
    const MatrixView<const double> first =
        start.empty() ? MatrixView<const double>() : part(begin.view(), 0, begin.rows(), next, columns.cols());
    next += columns.cols();
    system.set_alpha(alpha);
    const std::unique_ptr<Preconditioner> inverse = inverse_of(X, roots, alpha, options.precision);
    take(conjugate_gradients(system, columns, limits, inverse.get(), observer, {first, objective(alpha)}), columns, out);
  });
  if (scores) keep_best(*scores, system, right, out);
}

}  // namespace gramian::kernel_ridge
