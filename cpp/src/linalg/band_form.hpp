// SPDX-License-Identifier: BSD-3-Clause
// A = Z B Zᵀ with B of a few diagonals: what a tridiagonal form is good for, at the speed of products of matrices. A tridiagonal
// form reads all of A for each of its columns, a band for each `width` of them.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"
#include "linalg/reflections.hpp"

namespace gramian {

class GRAMIAN_API BandForm {
 public:
  static constexpr Index width = 8;  ///< B(i, j) = 0 for |i - j| > width

  /// A: n x n, symmetric, finite, rows contiguous; the lower triangle is read, and all of A is overwritten. 4/3 n^3 operations.
  explicit BandForm(MatrixView<double> A);

  Index size() const { return band_.rows(); }
  const Matrix& band() const { return band_; }  ///< band()(i, d) = B(i, i - d) for d = 0 .. width, 0 where i < d
  double norm() const;                          ///< an upper bound for |B|: the largest sum of magnitudes in a row

  const Reflections& Z() const { return reflections_; }

  /// Column j of V becomes B (D_j B + s_j I)^-1 V_j with s_j = max(shift, D_j excess): D_j >= 0, shift > 0, and B + excess I
  /// positive definite, by more than rounding: with a shift below that, pivots would not have a digit. O(n width^2) a column.
  void divide(const double* D, double shift, double excess, MatrixView<double> V) const;

  /// Whether B + excess I is positive definite.
  bool positive(double excess) const;

 private:
  void make_tridiagonal(MatrixView<const double> A);
  void reduce(MatrixView<double> A, Index& column);

  Matrix band_;  // n x (width + 1)
  Reflections reflections_;
};

}  // namespace gramian
