// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "models/kernel_ridge/checks.hpp"
#include "models/kernel_ridge/exact.hpp"
#include "models/kernel_ridge/iterative.hpp"

namespace gramian::kernel_ridge {
namespace {

void check_options(const Options& options, Index targets) {
  check_alphas(options.alphas, targets, false);
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
}

void check_validation(const GramSource& X, const Options& options, Observer* observer) {
  require(options.solver == Solver::conjugate_gradients && !X.stored() && options.alphas.size() == 1,
          "a validation is for conjugate_gradients, points and one alpha");
  require(observer == nullptr || !observer->checkpoint(), "a fit with a validation can't be continued: pass no checkpoint");
}

bool any_is_zero(const std::vector<double>& alphas) { return std::find(alphas.begin(), alphas.end(), 0.0) != alphas.end(); }

Solver chosen(const Options& options, Index n) {
  if (options.solver != Solver::automatic) return options.solver;
  return n <= options.largest_cholesky || any_is_zero(options.alphas) ? Solver::cholesky : Solver::conjugate_gradients;
}

/// By Cholesky; from the first matrix on that is not positive definite by eigenvectors. The coefficients are S y at first.
void solve_exactly(const GramSource& X, const Options& options, const std::vector<double>& roots, Fit& out) {
  const Matrix right = out.coefficients.clone();
  std::optional<ExactSystem> system(std::in_place, X, roots);
  std::optional<Spectrum> spectrum;
  Index column = 0;
  by_alpha(options.alphas, out.coefficients.view(), [&](double alpha, MatrixView<double> B) {
    if (spectrum || !system->solve(alpha, B)) {
      system.reset();
      if (!spectrum) spectrum.emplace(X, roots, Spectrum::Signs::any);
      out.objective += spectrum->solve(alpha, B);
    }
    out.objective += alpha * sum_of_products(part(right.view(), 0, right.rows(), column, B.cols()), B);
    column += B.cols();
  });
  out.least_squares = spectrum.has_value();
  out.residuals.assign(static_cast<std::size_t>(right.cols()), 0.0);
  out.history.push_back({0, out.objective, 0.0, 0.0, 1, 1});
}

}  // namespace

Fit fit(const GramSource& X, MatrixView<const double> targets, const Options& options, Observer* observer,
        const Validation* validation, MatrixView<const double> start) {
  check_data(X, targets, options.weights, 0.0);
  require_shape_or_empty(start, targets.rows(), targets.cols(), "the start");
  require_finite(start, "the start");
  check_options(options, targets.cols());
  if (validation != nullptr) check_validation(X, options, observer);
  const std::vector<double> roots = roots_of(options.weights);
  Fit out;
  out.coefficients = Matrix::copy_of(targets);
  scale_rows(roots, out.coefficients.view());
  out.solver = chosen(options, X.size());
  if (out.solver == Solver::conjugate_gradients) {
    require(!any_is_zero(options.alphas), "alphas must be greater than 0 for conjugate_gradients: take cholesky");
    solve_by_iterations(X, options, roots, out, observer, validation, start);
  } else {
    solve_exactly(X, options, roots, out);
  }
  scale_rows(roots, out.coefficients.view());
  return out;
}

}  // namespace gramian::kernel_ridge
