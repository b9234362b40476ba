// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression on landmarks as a system that conjugate gradients solve, and a sketch of its matrix.
#pragma once

#include <cstdint>
#include <memory>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/gram/row_source.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/landmark_basis.hpp"

namespace gramian {

/// b -> GᵀG b + alpha b for the features G = W^(1/2) k(X, C) T^-T of n samples in the coordinates of a LandmarkBasis, of rank
/// k: each apply() evaluates n m values of the kernel once. The samples, the landmarks and the basis must outlive it.
class GRAMIAN_API LandmarkSystem final : public SymmetricOperator {
 public:
  /// C: the landmarks of the basis, of the type of X; values of float32 points are float32. weights: n x 1, copied, or empty for
  /// 1. Throws std::invalid_argument if points do not fit the basis, weights are negative or not finite, or alpha is not above
  /// zero.
  LandmarkSystem(const Kernel& kernel, const Points& X, const Points& C, const LandmarkBasis& basis, double alpha,
                 MatrixView<const double> weights = {});
  /// Samples that are read a block at a time in each apply(), with the same bits; the type of C is what is computed in.
  LandmarkSystem(const Kernel& kernel, const RowSource& X, const Points& C, const LandmarkBasis& basis, double alpha,
                 MatrixView<const double> weights = {});
  ~LandmarkSystem() override;
  LandmarkSystem(LandmarkSystem&&) noexcept;
  LandmarkSystem& operator=(LandmarkSystem&&) noexcept;

  Index size() const override;  ///< the rank of the basis
  void apply(MatrixView<const double> V, MatrixView<double> out) const override;
  double unit_roundoff() const override;  ///< 2^-24 for float32 points
  /// Gᵀ W^(1/2) Y for Y: n x r, the right side of the ridge regression; out: k x r.
  void right_side(MatrixView<const double> Y, MatrixView<double> out) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// S W^(1/2) k(X, C) for a sparse random S of `count` rows: each sample is added to four of them, with random signs, divided by
/// 2. So SᵀS is I on average. With count = 2 m the Gram matrix of the sketch is within a small factor of K_mn W K_nm: what
/// RestrictedInverse takes (KRILL, arXiv 2304.12465). O(n m (d + 4)) time. Any number of threads gives the same bits. weights as
/// above.
GRAMIAN_API Matrix sketched_rows(const Kernel& kernel, const Points& X, const Points& C, Index count, std::uint64_t seed = 0,
                                 MatrixView<const double> weights = {});
/// The same bits for rows that are read a block at a time.
GRAMIAN_API Matrix sketched_rows(const Kernel& kernel, const RowSource& X, const Points& C, Index count, std::uint64_t seed = 0,
                                 MatrixView<const double> weights = {});

}  // namespace gramian
