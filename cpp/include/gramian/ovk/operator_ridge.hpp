// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression with any operator-valued kernel on R^q, [KDE] (1), (2), (3).
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/observer.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"
#include "gramian/ovk/operator_kernel.hpp"

namespace gramian {

/// How the system of the ridge regression is solved.
enum class OperatorSolver {
  automatic,           ///< cholesky up to largest_cholesky unknowns
  cholesky,            ///< of the block matrix: (n q)^2 numbers, (n q)^3 / 3 operations
  conjugate_gradients  ///< on the action of the kernel: n q numbers, one apply() an iteration
};

/// Options of the ridge regression.
struct OperatorRidgeOptions {
  double lambda = 1e-2;  ///< greater than 0
  OperatorSolver solver = OperatorSolver::automatic;
  Index largest_cholesky = 3000;
  double tolerance = 1e-10;  ///< of conjugate_gradients: |residual| <= tolerance |targets|
  Index max_iterations = 1000;
  std::vector<double> weights{};  ///< of the samples in the sum of squared errors, greater than 0; empty: 1 each

  template <class Visit>
  static void fields(Visit visit) {
    visit("lambda_", &OperatorRidgeOptions::lambda);
    visit("solver", &OperatorRidgeOptions::solver);
    visit("largest_cholesky", &OperatorRidgeOptions::largest_cholesky);
    visit("tolerance", &OperatorRidgeOptions::tolerance);
    visit("max_iterations", &OperatorRidgeOptions::max_iterations);
    visit("weights", &OperatorRidgeOptions::weights);
  }
};

/// The result of the ridge regression.
struct OperatorRidge {
  Matrix coefficients;  ///< Psi: n x q; g(x) = sum_i K(x, x_i) psi_i, which is K.apply(new, X, Psi, out)
  OperatorSolver solver = OperatorSolver::cholesky;  ///< the one that was used
  Index iterations = 0;                              ///< of conjugate_gradients
  double residual = 0.0;                             ///< |(K + lambda I) Psi - targets| / |targets|, of conjugate_gradients
  bool converged = true;
  SolverStop stop_reason = SolverStop::tolerance;  ///< of conjugate_gradients
  double objective = 0.0;                          ///< sum_i w_i |g(x_i) - phi_i|^2 + lambda |g|^2
  /// Of conjugate_gradients, from the start on: objectives, and largest entries of the residual. One entry after cholesky.
  std::vector<Iteration> history{};
};

/// Psi with (K + lambda I) Psi = targets, targets: n x q; with weights (K + lambda diag(w)^-1 x I) Psi = targets. An observer
/// sees the iterations of conjugate_gradients, which begin with Psi = start, n x q; empty: zero. The solution does not depend on
/// the start. Throws std::invalid_argument if shapes disagree, an entry is not finite or an option is out of its range,
/// NumericalError if the block matrix is not positive semi-definite.
GRAMIAN_API OperatorRidge operator_ridge(const OperatorKernel& K, const Points& X, MatrixView<const double> targets,
                                         const OperatorRidgeOptions& options = {}, Observer* observer = nullptr,
                                         MatrixView<const double> start = {});

}  // namespace gramian
