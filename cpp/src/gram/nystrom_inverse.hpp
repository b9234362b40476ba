// SPDX-License-Identifier: BSD-3-Clause
// An approximate inverse of a Gram matrix plus a shift, from some columns in float32: for systems whose products are float32 too.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// (C (k(Z, Z) + jitter I)^-1 Cᵀ + shift I)^-1 for C = S k(X, Z) in float32, S a diagonal: the inverse for exactly the numbers
/// that are stored, so that it is positive definite. The jitter is what the rounding of C asks for: C k(Z, Z)^-1 Cᵀ would have
/// eigenvalues above the shift that are rounding.
///
/// n m numbers of float32 and 2 m^2 of float64; n m kernel values and n m^2 operations; apply() takes 4 n m r. All sums are
/// float64.
class NystromInverse final : public Preconditioner {
 public:
  /// pivots: rows of X. roots: the diagonal of S, or empty. Points of float64, shift > 0. Throws MemoryLimitError.
  NystromInverse(const Kernel& kernel, const Points& X, const std::vector<Index>& pivots, const std::vector<double>& roots,
                 double shift);

  /// The smallest shift for which the rounding of C is less than the rest of what a few pivots leave: below it a factor in
  /// float64 is better. largest: k(x, x) at most.
  static double least_shift(Index samples, double largest);

  Index size() const { return size_; }
  Index rank() const { return system_.rows(); }
  void apply(MatrixView<const double> R, MatrixView<double> out) const override;

 private:
  void evaluate(const Kernel& kernel, const Points& X, const Points& Z, const std::vector<double>& roots);
  void add_cross(MatrixView<const double> R, Matrix& sums) const;

  Index size_;
  double shift_;
  Matrix system_;          // the factor of CᵀC + shift (k(Z, Z) + jitter I), m x m
  Buffer<float> columns_;  // C, n x m
};

/// Pivots for it, chosen among some of the rows by an incomplete factorization of these: grown until the trace of what is left is
/// below a hundredth of the shift on average, up to 10 sqrt(n) of them and what the memory has room for.
std::vector<Index> nystrom_pivots(const Kernel& kernel, const Points& X, double shift);

}  // namespace gramian
