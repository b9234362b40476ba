// SPDX-License-Identifier: BSD-3-Clause
// Outputs replaced by their projections on leading kernel principal components: Weston et al. 2003.
#pragma once

#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

/// L, or H L H with H = I - 11ᵀ/n if centred, is V diag(M) Vᵀ; the leading columns V_p span the projections. They have the Gram
/// matrix V_p M_p V_pᵀ, and weights of them are V_p V_pᵀ times weights of the outputs themselves.
class OutputComponents {
 public:
  /// count 0: outputs as they are, and nothing below changes anything.
  OutputComponents(MatrixView<const double> L, Index count, bool centred);

  MatrixView<const double> gram(MatrixView<const double> L) const { return count_ == 0 ? L : gram_.view(); }
  /// Weights in rows, of projections, become those of outputs; with the mean, if centred.
  void project_weights(Matrix& weights) const;
  /// The same for the coefficients of a model, which gets what it needs to project candidates.
  void finish(Model& model);

 private:
  Index count_;
  bool centred_;
  Matrix gram_;
  Matrix V_;           // n x p
  Matrix components_;  // V_p M_p^-½
  std::vector<double> mean_;
};

}  // namespace gramian::dependency
