// SPDX-License-Identifier: BSD-3-Clause
// A = Z B Zᵀ with B of a few diagonals: what a tridiagonal form is good for, at the speed of products of matrices. A tridiagonal
// form reads all of A for each of its columns, a band for each `width` of them.
#pragma once

#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

class GRAMIAN_API BandForm {
 public:
  static constexpr Index width = 8;  ///< B(i, j) = 0 for |i - j| > width

  /// A: n x n, symmetric, rows contiguous; the lower triangle is read, and all of A is overwritten. 4/3 n^3 operations.
  explicit BandForm(MatrixView<double> A);

  Index size() const { return band_.rows(); }
  const Matrix& band() const { return band_; }  ///< band()(i, d) = B(i, i - d) for d = 0 .. width, 0 where i < d
  double norm() const;                          ///< an upper bound for |B|: the largest sum of magnitudes in a row

  void apply(MatrixView<double> V) const;             ///< V = Z V, 2 n^2 operations a column
  void apply_transposed(MatrixView<double> V) const;  ///< V = Zᵀ V
  void form(MatrixView<double> Z) const;              ///< Z itself, in 4/3 n^3 operations

  /// Column j of V becomes B (D_j B + shift I)^-1 V_j: B positive semi-definite up to rounding, D_j >= 0, shift > 0.
  /// O(n width^2) a column.
  void divide(const double* D, double shift, MatrixView<double> V) const;

  /// Whether B + excess I is positive definite.
  bool positive(double excess) const;

 private:
  /// Q_1 Q_2 ... of some neighbouring panels: I - Y T Yᵀ, on rows `row` and below.
  struct Reflections {
    Index row;
    Matrix Y;
    Matrix T;
    Matrix YT;  // Y T
  };
  void reduce(MatrixView<double> A, Index& column);
  void keep(Reflections&& next);
  /// V = V - left rightᵀ V
  static void reflect(const Matrix& left, const Matrix& right, MatrixView<double> V);

  Matrix band_;  // n x (width + 1)
  std::vector<Reflections> reflections_;
};

}  // namespace gramian
