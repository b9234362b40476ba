// SPDX-License-Identifier: BSD-3-Clause
// Regression in the span of landmarks by products: each iteration is a pass over the samples.
#pragma once

#include <functional>

#include "gramian/gram/landmark_system.hpp"
#include "gramian/models/kernel_ridge.hpp"

namespace gramian::kernel_ridge {

/// What the iterations see of the samples, in memory or not.
struct PassProblem {
  std::function<LandmarkSystem(const LandmarkBasis&, double alpha)> system;
  std::function<Matrix(Index rows)> sketch;  ///< of W^(1/2) k(X, Z), with this number of rows
  MatrixView<const double> targets;
  double square = 0.0;  ///< sum of w y^2, of all targets
};

/// basis: of k(Z, Z).
LandmarkFit solve_by_passes(const LandmarkBasis& basis, const PassProblem& problem, const LandmarkOptions& options,
                            Observer* observer);

}  // namespace gramian::kernel_ridge
