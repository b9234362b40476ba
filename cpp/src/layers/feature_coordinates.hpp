// SPDX-License-Identifier: BSD-3-Clause
// The first layer by the weights of orthonormal functions of its space.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Coefficients Phi = T W with T^T K T = I for the Gram matrix K of the supports, from a pivoted Cholesky factorization K = F
/// F^T: f = F W on the supports, |f|^2 = |W|^2. A kernel of rank r has r weights for each output instead of as many coefficients
/// as there are supports, of which most change nothing. T has rows for the pivots alone.
///
/// Terms k_m A_m that share no output are as many such problems; a diagonal entry a of A is a factor a^-1/2 of the coefficients.
class FeatureCoordinates {
 public:
  /// Null if outputs belong to several terms, or if a term has more than `most` features.
  static std::shared_ptr<const FeatureCoordinates> make(const KernelLayer& layer, const PointSource& supports, Index most);

  Index size() const { return size_; }  ///< numbers in W, block after block, features in rows
  Index rank() const { return rank_; }  ///< features of all blocks

  void expand(const double* W, MatrixView<double> Phi) const;           ///< Phi of W; all of it is overwritten
  void pull_back(MatrixView<const double> Phibar, double* Wbar) const;  ///< the gradient in W
  /// W of the functions that are closest to the targets (supports x outputs): these functions if they are in the space, else with
  /// a ridge.
  void approximate(MatrixView<const double> targets, double* W) const;

 private:
  struct Block {
    std::vector<Index> columns;
    std::vector<double> scales;  // of the coefficients of these columns
    std::vector<Index> pivots;
    Matrix T;  // of the pivots; upper triangular
    Matrix F;
    Index first = 0;  // in W
  };
  bool add_block(const LayerTerm& term, const PointSource& supports, Index most);

  Index size_ = 0, rank_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace gramian
