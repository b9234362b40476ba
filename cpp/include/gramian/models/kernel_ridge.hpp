// SPDX-License-Identifier: BSD-3-Clause
// Kernel ridge regression, exact and for many samples.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/observer.hpp"
#include "gramian/gram/normal.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"

namespace gramian::kernel_ridge {

/// How the system of the regression is solved.
enum class Solver {
  automatic,           ///< cholesky for up to largest_cholesky samples, conjugate_gradients beyond
  cholesky,            ///< n^2 numbers, n^3 / 3 operations for each alpha
  conjugate_gradients  ///< products of the kernel with vectors, and a preconditioner of low rank: O(n rank) numbers
};

/// Options of fit().
struct Options {
  std::vector<double> alphas{1.0};  ///< one for all targets, or one for each; above 0, for cholesky also 0
  Solver solver = Solver::automatic;
  Index largest_cholesky = 5000;
  std::vector<double> weights{};  ///< of the samples' squared errors, at least 0; empty: 1 each
  double tolerance = 1e-10;       ///< of conjugate_gradients: |residual| <= tolerance |S y| for each target
  Index max_iterations = 1000;    ///< of conjugate_gradients, for each group of targets with one alpha
  /// In which conjugate_gradients multiply with the kernel; all else is float64. float32 takes half the time, and ends at
  /// residuals of about 1e-6.
  Scalar precision = Scalar::float64;

  template <class Visit>
  static void fields(Visit visit) {
    visit("alphas", &Options::alphas);
    visit("solver", &Options::solver);
    visit("largest_cholesky", &Options::largest_cholesky);
    visit("weights", &Options::weights);
    visit("tolerance", &Options::tolerance);
    visit("max_iterations", &Options::max_iterations);
    visit("precision", &Options::precision);
  }
};

/// Samples that are held out of a fit by conjugate_gradients, and end it: it stops when their score has not risen by 1e-4 for a
/// while, and keeps the coefficients with the best score. The score is R^2, the mean over the targets, computed every 5
/// iterations, or every `patience` where that is less, by one product of the kernel. All of these are views.
struct Validation {
  Points X;                          ///< float64, in the form of the samples of the fit
  MatrixView<const double> targets;  ///< as many columns as those of the fit
  std::vector<double> weights{};     ///< of the squared errors, at least 0; empty: 1 each
  Index patience = 10;               ///< iterations without a rise after which the fit ends, at least 1
};

/// The result of fit().
struct Fit {
  Matrix coefficients;               ///< c: n x r, f(x) = sum_i k(x, x_i) c_i
  Solver solver = Solver::cholesky;  ///< the one that was used
  /// Whether the system was not positive definite, and has been solved in the sense of least squares, with the smallest norm.
  bool least_squares = false;
  Index iterations = 0;             ///< of conjugate_gradients
  std::vector<double> residuals{};  ///< theirs: |S y - (S K S + alpha I) S^-1 c| / |S y| of each target
  SolverStop stop_reason = SolverStop::tolerance;
  double objective = 0.0;  ///< what was minimised, summed over the targets
  /// Of the objective, from the start on; targets with another alpha follow with theirs. One entry after cholesky.
  std::vector<Iteration> history{};
  std::vector<double> scores{};  ///< with a Validation: one for each entry of the history, NaN where none was computed
  Index best_iteration = 0;      ///< with a Validation: the one whose coefficients, residuals and objective these are
  bool ended_by_scores = false;  ///< with a Validation: whether it ended the fit; stop_reason is SolverStop::observer then
};

/// The minimiser of sum_i w_i |y_i - f(x_i)|^2 + alpha |f|^2 for each target y, a column of targets: n x r. With S the roots of
/// the weights, (S K S + alpha I) S^-1 c = S y. K need not be positive semi-definite for cholesky: where S K S + alpha I is not
/// positive definite, its eigenvectors give the solution in the sense of least squares, in 10 n^3 operations. Throws
/// std::invalid_argument if shapes disagree, an entry is not finite or an option is out of its range, NumericalError if
/// conjugate_gradients meet a kernel that is not positive semi-definite (automatic takes cholesky then), MemoryLimitError. An
/// observer sees the iterations of conjugate_gradients.
///
/// A validation, or null, is for conjugate_gradients, points, one alpha, and an observer without a checkpoint. start: the
/// coefficients that conjugate_gradients begin with, n x r; empty: zero. The solution does not depend on them.
GRAMIAN_API Fit fit(const GramSource& X, MatrixView<const double> targets, const Options& options = {},
                    Observer* observer = nullptr, const Validation* validation = nullptr, MatrixView<const double> start = {});

/// How a regression in the span of landmarks is solved.
enum class LandmarkSolver {
  automatic,  ///< direct for up to largest_direct landmarks, if float64 has the digits for it
  /// The normal system, m^2 numbers: O(n m^2) operations in one pass over the samples. It squares what rounds: landmarks that
  /// are the sum of others but for a part of about n / alpha times the precision of float64 are left out.
  direct,
  conjugate_gradients  ///< products with it, a pass over the samples each
};

/// Options of a fit in the span of landmarks.
struct LandmarkOptions {
  std::vector<double> alphas{1.0};  ///< one for all targets, or one for each; above 0
  LandmarkSolver solver = LandmarkSolver::automatic;
  Index largest_direct = 3000;
  std::vector<double> weights{};  ///< of the samples' squared errors, at least 0; empty: 1 each
  double tolerance = 1e-7;        ///< of conjugate_gradients: |residual| <= tolerance |Kᵀ W y| for each target
  Index max_iterations = 1000;

  template <class Visit>
  static void fields(Visit visit) {
    visit("alphas", &LandmarkOptions::alphas);
    visit("solver", &LandmarkOptions::solver);
    visit("largest_direct", &LandmarkOptions::largest_direct);
    visit("weights", &LandmarkOptions::weights);
    visit("tolerance", &LandmarkOptions::tolerance);
    visit("max_iterations", &LandmarkOptions::max_iterations);
  }
};

/// The same of landmarks.
struct LandmarkFit {
  Matrix coefficients;                             ///< c: m x r, f(x) = sum_j k(x, z_j) c_j
  LandmarkSolver solver = LandmarkSolver::direct;  ///< the one that was used
  Index iterations = 0;                            ///< passes over the samples of conjugate_gradients
  std::vector<double> residuals{};                 ///< of the normal equations, relative to Kᵀ W y, for each target
  SolverStop stop_reason = SolverStop::tolerance;
  double objective = 0.0;            ///< as in Fit
  std::vector<Iteration> history{};  ///< as in Fit
};

/// The minimiser of sum_i w_i |y_i - f(x_i)|^2 + alpha |f|^2 among f = sum_j k(., z_j) c_j of m landmarks z: with K = k(X, Z),
/// (Kᵀ W K + alpha k(Z, Z)) c = Kᵀ W y. Repeated landmarks are allowed. Samples and landmarks are of one type; kernel values of
/// float32 points are float32, all sums float64. Throws as fit() does.
GRAMIAN_API LandmarkFit fit_landmarks(const Kernel& kernel, const Points& X, const Points& landmarks,
                                      MatrixView<const double> targets, const LandmarkOptions& options = {},
                                      Observer* observer = nullptr);
/// The same bits for samples that are read a block at a time; the type of the landmarks is what is computed in.
GRAMIAN_API LandmarkFit fit_landmarks(const Kernel& kernel, const RowSource& X, const Points& landmarks,
                                      MatrixView<const double> targets, const LandmarkOptions& options = {},
                                      Observer* observer = nullptr);
/// The direct solution from a normal system that was summed up elsewhere.
GRAMIAN_API LandmarkFit fit_landmarks(const Kernel& kernel, const Points& landmarks, const NormalSystem& system,
                                      const std::vector<double>& alphas);

/// The regressions of all alphas, judged by leaving each sample out in turn.
struct Path {
  Matrix errors;           ///< a row for each alpha, a column for each target: weighted means of squared leave-one-out errors
  Index best = 0;          ///< the row whose errors have the smallest sum
  Matrix coefficients;     ///< n x r, of the best alpha
  Matrix leave_one_out;    ///< n x r: predictions of each target by the fit to all other samples, of the best alpha
  double objective = 0.0;  ///< of the best alpha, as in Fit
};

/// Closed forms, from one decomposition K = V diag(s) Vᵀ: 10 n^3 operations, and O(n^2 r) for each alpha. alphas and weights are
/// above 0; weights may be empty. Throws std::invalid_argument as fit() does, and for a K with a negative eigenvalue.
GRAMIAN_API Path path(const GramSource& X, MatrixView<const double> targets, const std::vector<double>& alphas,
                      const std::vector<double>& weights = {});

}  // namespace gramian::kernel_ridge
