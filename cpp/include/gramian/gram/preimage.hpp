// SPDX-License-Identifier: BSD-3-Clause
// Back from a feature space: the point, or the candidate, whose image is nearest to a weighted sum of images.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/matrix.hpp"

namespace gramian {

/// When the fixed-point iterations of gaussian_preimages() end.
struct PreimageOptions {
  Index max_iterations = 500;
  double tolerance = 1e-8;  ///< of a step, relative to the width of the kernel, 1 / sqrt(2 gamma)

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &PreimageOptions::max_iterations);
    visit("tolerance", &PreimageOptions::tolerance);
  }
};

/// The points that gaussian_preimages() found, one for each row of weights.
struct Preimages {
  Matrix points;                        ///< q x d
  std::vector<Index> iterations;        ///< q; with those before a restart
  std::vector<std::uint8_t> converged;  ///< q; 0: the limit was reached, or no point has a positive response
  std::vector<std::uint8_t> restarted;  ///< q; 1: the start that was given led nowhere
};

/// For each of q rows of weights, z that maximises the response f(z) = sum_i c_i k(z, x_i), k = exp(-gamma |z - x|^2), and with
/// it minimises |phi(z) - sum_i c_i phi(x_i)|: the fixed point of
///
///   z <- sum_i c_i k(z, x_i) x_i / sum_i c_i k(z, x_i).
///
/// Where the denominator f(z) is not positive, or no more than rounding of its terms (weights of both signs cancel, or z is so
/// far from all points that k underflows), the step leads away from the maximum: then the row starts once more, at the training
/// point with the largest response, and stays there if that is not positive either. Weights none of which is positive are taken
/// with the other sign; the fixed points are the same.
///
/// X: n x d, weights: q x n, starts: q x d, or empty: all rows start at the training point with the largest response. O(n d) for
/// one iteration of one row, O(n^2) for one start at a training point. Throws std::invalid_argument for shapes that disagree,
/// entries that are not finite, gamma or options out of their range.
GRAMIAN_API Preimages gaussian_preimages(double gamma, MatrixView<const double> X, MatrixView<const double> weights,
                                         MatrixView<const double> starts, const PreimageOptions& options = {});

/// The candidates that nearest_candidates() chose for each row of weights.
struct NearestCandidates {
  Index count = 0;             ///< how many for each row
  std::vector<Index> indices;  ///< q x count, the nearest first; ties go to the smaller index
  Matrix scores;  ///< q x count: squared distances in the feature space, less the squared norm of the row's own image
};

/// For each of q rows w of weights the `count` candidates c that minimise k(c, c) - 2 sum_i w_i k(x_i, c): all that depends on c
/// in |phi(c) - sum_i w_i phi(x_i)|^2, for any kernel.
///
/// weights: q x n, cross: n x c with k(x_i, c), diagonal: c x 1 with k(c, c); any strides. O(q n c) time; scores are formed block
/// by block, never all. Throws std::invalid_argument for shapes that disagree, entries that are not finite, or count not in 1 ..
/// c.
GRAMIAN_API NearestCandidates nearest_candidates(MatrixView<const double> weights, MatrixView<const double> cross,
                                                 MatrixView<const double> diagonal, Index count = 1);

}  // namespace gramian
