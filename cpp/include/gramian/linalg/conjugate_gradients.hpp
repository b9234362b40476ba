// SPDX-License-Identifier: BSD-3-Clause
// Systems with a symmetric positive definite map that is known by its products only.
#pragma once

#include <functional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/observer.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// Options of conjugate_gradients().
struct ConjugateGradientsOptions {
  double tolerance = 1e-10;     ///< a column is done when |b - A x| <= tolerance |b|
  Index max_iterations = 1000;  ///< of all columns together: in one iteration each column makes a step

  template <class Visit>
  static void fields(Visit visit) {
    visit("tolerance", &ConjugateGradientsOptions::tolerance);
    visit("max_iterations", &ConjugateGradientsOptions::max_iterations);
  }
};

/// Why an iterative solver ended.
enum class SolverStop {
  tolerance,       ///< all columns have converged
  max_iterations,  ///< not converged
  stagnation,      ///< rounding keeps some columns above the tolerance, the others have converged
  observer         ///< the observer returned false
};
GRAMIAN_API const char* name_of(SolverStop reason);  ///< "tolerance", "max_iterations", ...

/// The result of conjugate_gradients().
struct ConjugateGradients {
  Matrix solution;                ///< n x r
  std::vector<double> residuals;  ///< |b - A x| / |b| of each column, computed from the solution; 0 where b = 0
  Index iterations = 0;
  SolverStop stop_reason = SolverStop::max_iterations;
  bool converged = false;  ///< stop_reason == SolverStop::tolerance
  /// The start and each iteration: the value, the largest magnitude of an entry of the residuals, and the longest step.
  std::vector<Iteration> history;
};

/// A quadratic function of x, from a column x, its residual r = b - A x and b, n numbers each. A factor in all three is squared
/// in the value: solvers scale columns.
using ValueOfColumn = std::function<double(const double* x, const double* r, const double* b, Index n)>;

/// What else conjugate_gradients() may get.
struct ConjugateGradientsStart {
  MatrixView<const double> solution{};  ///< n x r, where to begin; empty: zero
  ValueOfColumn value{};                ///< summed over columns for the history; empty: the energy xᵀAx / 2 - bᵀx
};

/// X with A X = B for B: n x r, by preconditioned conjugate gradients (Hestenes and Stiefel). Each column has its own step
/// lengths and leaves when it is done; those that are left are multiplied together, one product with A and one with `inverse` an
/// iteration. Before a column leaves, its residual is computed from the solution. It has converged if that is within the
/// tolerance, or at most 1e-8 |b| and as far from the residual of the recursion, which is within it, as rounding of A x explains.
/// Else the column starts again from there; if its residual no longer falls, it has stagnated.
///
/// An observer sees each iteration with the solution, row by row; a checkpoint of it continues with the same bits. 6 n r numbers
/// of workspace; any number of threads gives the same bits as far as A and inverse do. A column times a power of two has the same
/// digits. Throws std::invalid_argument if shapes disagree, an entry is not finite or an option is out of its range,
/// NumericalError if A or inverse is not positive definite or gives a number that is not finite, MemoryLimitError.
GRAMIAN_API ConjugateGradients conjugate_gradients(const SymmetricOperator& A, MatrixView<const double> B,
                                                   const ConjugateGradientsOptions& options = {},
                                                   const Preconditioner* inverse = nullptr, Observer* observer = nullptr,
                                                   const ConjugateGradientsStart& start = {});

}  // namespace gramian
