// SPDX-License-Identifier: BSD-3-Clause
// Regression in the span of landmarks by products: each iteration is a pass over the samples.
#pragma once

#include <functional>
#include <vector>

#include "gramian/linalg/landmark_basis.hpp"
#include "gramian/models/kernel_ridge.hpp"

namespace gramian::kernel_ridge {

/// out = Kᵀ W (K V - Y), by a pass over the samples; Y empty: 0.
using NormalPass = std::function<void(MatrixView<const double> V, MatrixView<const double> Y, MatrixView<double> out)>;

/// b -> T^-1 Kᵀ W K T^-T b + alpha b in the coordinates of a LandmarkBasis.
class LandmarkSystem final : public SymmetricOperator {
 public:
  LandmarkSystem(const LandmarkBasis& basis, NormalPass pass, double unit_roundoff);
  void set_alpha(double alpha) { alpha_ = alpha; }

  Index size() const override { return basis_.rank(); }
  void apply(MatrixView<const double> V, MatrixView<double> out) const override;
  double unit_roundoff() const override { return unit_; }

  /// T^-1 Kᵀ W Y.
  Matrix right(MatrixView<const double> Y) const;

 private:
  const LandmarkBasis& basis_;
  NormalPass pass_;
  double unit_;
  double alpha_ = 0.0;
};

/// What of the samples the iterations see.
struct LandmarkProblem {
  NormalPass pass;
  MatrixView<const double> gram;  ///< k(Z, Z)
  MatrixView<const double> targets;
  std::function<Matrix(Index)> sketch{};  ///< of W^(1/2) k(X, Z), with so many rows
  double square = 0.0;                    ///< sum of w y^2, of all targets
  double unit_roundoff = 0x1p-53;         ///< of the passes
};

LandmarkFit solve_by_passes(const LandmarkProblem& problem, const LandmarkOptions& options, Observer* observer);

}  // namespace gramian::kernel_ridge
