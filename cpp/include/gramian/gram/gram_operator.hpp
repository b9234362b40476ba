// SPDX-License-Identifier: BSD-3-Clause
// A Gram matrix with a diagonal added, as a map that is never formed.
#pragma once

#include <memory>

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// V -> K(X, X) V + D V, D a shift on the diagonal: one number, or one for each row. The points must outlive it.
///
/// Scalar::float32 copies the points to float32 and multiplies there, in half the time: the entries of K V are known to about
/// 1e-7 |K| |v| then, sums between tiles are of float64, and the shift is added in float64. Each column is scaled by a power of
/// two, so that no number of V is too large or too small for float32.
class GRAMIAN_API GramOperator final : public SymmetricOperator {
 public:
  /// shift >= 0. Points are float64. Throws std::invalid_argument for other points, a shift that is negative or not finite, or,
  /// with float32, for points beyond its range.
  GramOperator(const Kernel& kernel, const Points& X, double shift = 0.0, Scalar precision = Scalar::float64);
  /// shifts: n x 1, copied.
  GramOperator(const Kernel& kernel, const Points& X, MatrixView<const double> shifts, Scalar precision = Scalar::float64);
  ~GramOperator() override;
  GramOperator(GramOperator&&) noexcept;
  GramOperator& operator=(GramOperator&&) noexcept;

  Index size() const override;
  void apply(MatrixView<const double> V, MatrixView<double> out) const override;
  double unit_roundoff() const override;  ///< 2^-24 with float32

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gramian
