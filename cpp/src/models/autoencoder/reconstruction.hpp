// SPDX-License-Identifier: BSD-3-Clause
// Reconstruction in a feature space: as a weighted sum of the images of the training samples, [KAE] App. B.7.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/layer.hpp"

namespace gramian::autoencoder {

/// Throws std::invalid_argument unless the layer is k I with a penalty greater than 0.
void check_reconstruction(const KernelLayer& last);

/// The weights of the training samples in the reconstruction of codes, sum_j weights(i, j) phi(x_j) for code i. The system of the
/// last layer's regression is factorized once: O(n^3 / 3), or O(n m^2) with m landmarks.
class Reconstruction {
 public:
  /// codes: n x p, what the last layer sees of the training samples; supports: m x p of landmarks, or empty: the codes support
  /// the layer. sample_weights: those of the training; empty: 1 each. Throws std::invalid_argument for shapes that do not fit,
  /// MemoryLimitError, NumericalError.
  Reconstruction(const KernelLayer& last, MatrixView<const double> codes, MatrixView<const double> supports,
                 const std::vector<double>& sample_weights);

  /// The weights are k(new codes, supports) times `given`, m x n: there is no system.
  Reconstruction(const KernelLayer& last, MatrixView<const double> supports, MatrixView<const double> given);

  /// weights: q x n for q new codes. Without landmarks W^-1 k_L(codes, new codes) with W = K_L + lambda_L sum(w) diag(w)^-1; with
  /// landmarks S k(new, S) (C^T D C + lambda sum(w) k(S, S))^-1 C^T D, C = k(codes, S), D = diag(w). O(q n m).
  void weights(MatrixView<const double> new_codes, MatrixView<double> weights) const;

 private:
  void factorize_on_samples(const std::vector<double>& sample_weights);
  void factorize_on_landmarks();

  Kernel kernel_;
  Matrix codes_, supports_, factor_, cross_, given_;  // cross_: D^(1/2) C
  std::vector<double> roots_;                         // of the sample weights; none: 1
  double ridge_ = 0.0;                                // lambda sum(w)
};

/// |phi(x_i) - reconstruction of it|^2 for q samples: diagonal(i) - 2 <weights_i, cross_i> + |weights_i C|^2, with cross: q x n
/// inner products with the training samples, and C C^T = K_in. out: q x 1.
void feature_distortion(MatrixView<const double> weights, MatrixView<const double> cross, MatrixView<const double> diagonal,
                        MatrixView<const double> factor, MatrixView<double> out);

}  // namespace gramian::autoencoder
