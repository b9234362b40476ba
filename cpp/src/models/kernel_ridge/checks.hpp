// SPDX-License-Identifier: BSD-3-Clause
// What all regressions do with their arguments, weights and alphas, and with what a solver has found.
#pragma once

#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"

namespace gramian::kernel_ridge {

/// Throws std::invalid_argument unless there is one alpha, or one for each target, none negative and, if it must be, all above 0.
void check_alphas(const std::vector<double>& alphas, Index targets, bool positive);

/// Throws std::invalid_argument naming what does not fit the other arguments, or is not finite.
void check_data(const GramSource& X, MatrixView<const double> targets, const std::vector<double>& weights, double least_weight);

/// The same of samples that are checked elsewhere.
void check_targets(Index samples, MatrixView<const double> targets, const std::vector<double>& weights, double least_weight);

/// Their roots; none for no weights.
std::vector<double> roots_of(const std::vector<double>& weights);

/// A(i, :) *= roots[i]; nothing without roots.
void scale_rows(const std::vector<double>& roots, MatrixView<double> A);

/// sum of A(i, j) B(i, j)
double sum_of_products(MatrixView<const double> A, MatrixView<const double> B);

/// Takes what was found for some targets; iterations and objectives continue those of the targets before them.
template <class Result>
void take(const ConjugateGradients& found, MatrixView<double> unknowns, Result& out) {
  copy_rows(found.solution.view(), unknowns);
  for (const Iteration& one : found.history) {
    if (one.number == 0 && !out.history.empty()) continue;
    out.history.push_back(one);
    out.history.back().number += out.iterations;
  }
  out.iterations += found.iterations;
  out.objective += found.history.back().value;
  out.residuals.insert(out.residuals.end(), found.residuals.begin(), found.residuals.end());
  if (!found.converged) out.stop_reason = found.stop_reason;
}

/// run(alpha, columns) for neighbours among the targets that have the same alpha.
template <class Run>
void by_alpha(const std::vector<double>& alphas, MatrixView<double> columns, Run run) {
  const Index count = columns.cols();
  if (alphas.size() == 1) return run(alphas[0], columns);
  for (Index first = 0, last; first < count; first = last) {
    const double alpha = alphas[static_cast<std::size_t>(first)];
    for (last = first + 1; last < count && alphas[static_cast<std::size_t>(last)] == alpha;) ++last;
    run(alpha, part(columns, 0, columns.rows(), first, last - first));
  }
}

}  // namespace gramian::kernel_ridge
