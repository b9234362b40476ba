// SPDX-License-Identifier: BSD-3-Clause
// Features of points in the coordinates of landmarks, a few numbers whose inner products stand for kernel values.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/gram/row_source.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/landmark_basis.hpp"

namespace gramian {

/// phi(x) = T^-1 k(p, x) for the pivots p of a LandmarkBasis: phi(x)ᵀ phi(y) = k(x, p) k(p, p)^-1 k(p, y), the projection of the
/// kernel on the span of the landmarks. A value: copies share everything, and any number of threads may call the const verbs.
class GRAMIAN_API LandmarkFeatures {
 public:
  /// C: m landmarks of float64, dense or sparse, of which the pivots are copied. tolerance: as in LandmarkBasis. O(m^2 (d + k))
  /// time for rank k. Throws std::invalid_argument for other points and as LandmarkBasis does, MemoryLimitError.
  LandmarkFeatures(const Kernel& kernel, const Points& C, double tolerance = 1e-12);

  const Kernel& kernel() const;
  const LandmarkBasis& basis() const;
  Index rank() const { return basis().rank(); }
  Points pivots() const;  ///< k of the landmarks, in the order of the basis

  /// out = phi(X), a row a point: q x k. X is as the landmarks are, dense or sparse. O(q k (d + k)).
  void apply(const Points& X, MatrixView<double> out) const;
  /// The normal system of the features of all rows: square is phi(X)ᵀ W phi(X), right is phi(X)ᵀ W Y. weights: n x 1 or empty for
  /// 1; Y: n x r, or empty. Features are computed before they are multiplied, so no digits are lost by squaring k(p, p). Any
  /// number of threads gives the same bits. O(n k (d + 2 k + r)) time, memory as normal_system(). Throws as this does.
  NormalSystem system(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y) const;
  /// The same bits for rows that are read a block at a time; the landmarks must be dense.
  NormalSystem system(const RowSource& X, MatrixView<const double> weights, MatrixView<const double> Y) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// k(C, C) in float64, whatever the type of C. Throws std::invalid_argument for sparse float32 points, MemoryLimitError.
GRAMIAN_API Matrix landmark_gram(const Kernel& kernel, const Points& C);

/// What may be left of the trace of k(C, C) where pivots end, if normal equations were summed up from kernel values, square =
/// K_mn W K_nm: rounding in the square, relative to the shift, grows as the inverse of what is left.
GRAMIAN_API double normal_tolerance(MatrixView<const double> square, MatrixView<const double> gram, double shift);

/// A normal system of kernel values at all landmarks in the coordinates of a basis: T^-1 square T^-T and T^-1 right.
GRAMIAN_API NormalSystem in_coordinates(const LandmarkBasis& basis, const NormalSystem& system);

}  // namespace gramian
