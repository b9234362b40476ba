// SPDX-License-Identifier: BSD-3-Clause
// A trained deep kernel PCA on new samples, and the way back to the input.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/preimage.hpp"
#include "gramian/models/deep_pca/train.hpp"

namespace gramian::deep_pca {

/// How features of new samples are computed.
enum class Extension {
  automatic,  ///< equations; rows where these have no solution that is found are smoothed
  equations,  ///< the stationarity of a new sample, [DKPCA] (A.1): a linear system if all upper kernels are linear
  /// sum_i k_1(x, x_i) h_i / sum_i k_1(x, x_i), as in the paper's experiments; 0 where all k_1(x, x_i) are. Values of either sign
  /// may cancel: a row outside of what the training has between its largest and smallest entries is left to the equations.
  smoother
};

/// Options of transform().
struct TransformOptions {
  Extension extension = Extension::automatic;
  Index max_iterations = 100;
  double tolerance = 1e-10;  ///< of the residual of a row, relative to the terms that it is made of

  template <class Visit>
  static void fields(Visit visit) {
    visit("extension", &TransformOptions::extension);
    visit("max_iterations", &TransformOptions::max_iterations);
    visit("tolerance", &TransformOptions::tolerance);
  }
};

/// The features of new samples on every level.
struct Codes {
  std::vector<Matrix> features;        ///< q x s_j for each level
  std::vector<std::uint8_t> solved;    ///< q; 0: the equations were not solved for this row, within the limits
  std::vector<std::uint8_t> smoothed;  ///< q; 0 and not solved: the row came closest to the equations
  Index iterations = 0;                ///< Newton steps, most of any row
};

/// Features of q new samples, for each level. Where the equations have several solutions it is the one that Newton's method finds
/// from the features of the training sample that looks most alike to them. So training samples have the features of the training
/// if J is 0, and samples near them have features nearby; but for systems that are singular, which have many solutions: of linear
/// ones that of smallest norm is taken. X: new samples, training: those that the model was fitted to. O(q n sum s_j) for one
/// iteration; nothing q x n is stored at once. Components with eigenvalue 0 get 0. Throws std::invalid_argument if shapes
/// disagree.
GRAMIAN_API Codes transform(const View& model, const Points& X, const Points& training, const TransformOptions& options = {});
/// The same where the first level sees inner products of new samples with the training samples: two sets, q x n.
GRAMIAN_API Codes transform(const View& model, const InnerProducts<double>& XS, const TransformOptions& options = {});

/// Weights of the images of the training samples in level `level` = 1 .. J: W_j a = sum_i c_i phi_j(h_i), c = C H_j a / eta_j (+
/// 1/n if centred). codes: q x s_level, weights: q x n.
GRAMIAN_API void weights(const View& model, Index level, MatrixView<const double> codes, MatrixView<double> weights);

/// How points are computed from features.
enum class Inverse {
  automatic,    ///< linear: exact; Gaussian: fixed_point; others: ridge
  fixed_point,  ///< gaussian_preimages(): Gaussian kernels only, with or without length scales
  ridge         ///< kernel ridge regression from the level's features to its inputs
};

/// Options of inverse_transform().
struct InverseOptions {
  Inverse method = Inverse::automatic;
  double ridge = 1e-4;  ///< alpha of (K + alpha I), above 0; K is Gaussian, its gamma the median of the features
  PreimageOptions fixed_point;

  template <class Visit>
  static void fields(Visit visit) {
    visit("method", &InverseOptions::method);
    visit("ridge", &InverseOptions::ridge);
    visit("fixed_point", &InverseOptions::fixed_point);
  }
};

/// The points whose features are nearest to given ones.
struct LevelPreimages {
  Matrix points;                        ///< q x d
  std::vector<Matrix> levels;           ///< the points found on the way down: features of levels level - 1, ..., 1
  std::vector<std::uint8_t> converged;  ///< q
};

/// [DKPCA] (10): from features of level `level` = 1 .. J down to the input. codes: q x s_level, training: n x d. Throws
/// std::invalid_argument if shapes disagree, or for fixed_point with a kernel that is not Gaussian.
GRAMIAN_API LevelPreimages inverse_transform(const View& model, Index level, MatrixView<const double> codes,
                                             MatrixView<const double> training, const InverseOptions& options = {});

}  // namespace gramian::deep_pca
