// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/checks.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"

namespace gramian::kernel_ridge {

void check_alphas(const std::vector<double>& alphas, Index targets, bool positive) {
  const Index count = static_cast<Index>(alphas.size());
  require(count == 1 || count == targets, "alphas must be one number, or one for each target");
  for (const double alpha : alphas) positive ? require_positive(alpha, "alphas") : require_not_negative(alpha, "alphas");
}

void check_data(const GramSource& X, MatrixView<const double> targets, const std::vector<double>& weights, double least_weight) {
  check_source(X, "X");
  check_targets(X.size(), targets, weights, least_weight);
}

void check_targets(Index samples, MatrixView<const double> targets, const std::vector<double>& weights, double least_weight) {
  require_rows(targets.rows(), targets.cols(), samples, "targets");
  require(targets.cols() > 0, "targets must have at least one column");
  require_finite(targets, "targets");
  require(weights.empty() || static_cast<Index>(weights.size()) == samples,
          "weights has " + std::to_string(weights.size()) + " numbers, but there are " + std::to_string(samples) + " samples");
  for (const double weight : weights) {
    require(std::isfinite(weight) && weight >= least_weight, least_weight > 0.0
                                                                 ? "weights must hold finite numbers greater than 0"
                                                                 : "weights must hold finite numbers, 0 or greater");
  }
}

std::vector<double> roots_of(const std::vector<double>& weights) {
  std::vector<double> roots(weights);
  for (double& root : roots) root = std::sqrt(root);
  return roots;
}

void scale_rows(const std::vector<double>& roots, MatrixView<double> A) {
  if (roots.empty()) return;
  for_entries(A, [&](Index i, Index j) { A(i, j) *= roots[static_cast<std::size_t>(i)]; });
}

double sum_of_products(MatrixView<const double> A, MatrixView<const double> B) {
  double sum = 0.0;
  for_entries(A, [&](Index i, Index j) { sum += A(i, j) * B(i, j); });
  return sum;
}

}  // namespace gramian::kernel_ridge
