// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the equations (A.1) of many new samples, each as long as it gets better.
#pragma once

#include <vector>

#include "models/deep_pca/newton_systems.hpp"
#include "models/deep_pca/rows.hpp"

namespace gramian::deep_pca {

Linearised linearised(const Equations& equations, const Matrix& first, const Features& h);

/// Steps (q x unknowns) to where the linearised residuals are 0.
Matrix newton_steps(const Equations& equations, const Linearised& at);

/// Newton's method for many rows. What a row gets does not hang on the others.
class Newton {
 public:
  /// rows: how many there will be. If there are more than training samples, what a first step needs is computed once for these.
  Newton(const Equations& equations, Index rows, Index max_iterations, double tolerance);

  /// From the nearest training sample until the residual of a row is at most the tolerance, or does not fall in a step nor in one
  /// of five halves of it, or after max_iterations. sizes are the residuals at the end. Returns the most steps that a row took.
  Index solve(const Matrix& first, Features& h, std::vector<double>& sizes) const;

 private:
  Linearised at_start(const Matrix& first, const std::vector<Index>& samples, const Features& h) const;

  const Equations& equations_;
  Index max_iterations_;
  double tolerance_;
  std::vector<Equations::Derivatives> at_training_;  ///< of every level but the last
};

}  // namespace gramian::deep_pca
