// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the equations (A.1) of many new samples, each as long as it gets better.
#pragma once

#include <optional>
#include <vector>

#include "models/deep_pca/first_steps.hpp"
#include "models/deep_pca/newton_systems.hpp"
#include "models/deep_pca/rows.hpp"

namespace gramian::deep_pca {

/// Residuals that are rough count as rough_residual at least.
Linearised linearised(const Equations& equations, const Matrix& first, const Features& h, Accuracy accuracy = Accuracy::full);
constexpr double rough_residual = 1e-5;

/// Steps (q x unknowns) to where the linearised residuals are 0.
Matrix newton_steps(const Equations& equations, const Linearised& at);

/// Newton's method for many rows. What a row gets does not hang on the others.
class Newton {
 public:
  /// rows: how many there will be. If there are more than training samples, what a first step needs is computed once for these.
  Newton(const Equations& equations, Index rows, Index max_iterations, double tolerance);

  /// From the nearest training sample until the residual of a row is at most the tolerance, or so small that by the rate at which
  /// it falls the step that is taken then leaves a tenth of that; or does not fall in a step nor in one of five halves of it; or
  /// after max_iterations. sizes are the residuals at the end. Returns the most steps that a row took.
  Index solve(const Matrix& first, Features& h, std::vector<double>& sizes) const;

 private:
  const Equations& equations_;
  Index max_iterations_;
  double tolerance_;
  Accuracy first_accuracy_;                  ///< where the first steps lead, which is not near enough to a solution for more
  std::optional<FirstSteps> first_steps_{};  ///< of all training samples
};

}  // namespace gramian::deep_pca
