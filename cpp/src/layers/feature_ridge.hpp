// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression on explicit features, of which the rows come in any number of blocks.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/linalg/cholesky.hpp"

namespace gramian {

/// (ZᵀD^2 Z + shift I) W = ZᵀD^2 T, with D the roots of the weights. Memory stays from one system to the next.
class FeatureRidge {
 public:
  /// No rows yet.
  void begin(Index features, Index targets);
  /// Rows that were summed up elsewhere: square is ZᵀD^2 Z, of which the lower triangle is read, and right ZᵀD^2 T.
  void begin(Matrix square, Matrix right);
  /// Rows of Z with their targets. roots: null for 1 each.
  void add(MatrixView<const double> Z, const double* roots, MatrixView<const double> T);
  /// The same for rows of unit vectors, by the places of their ones. O(n p) beside the product.
  void add_labels(MatrixView<const double> Z, const double* roots, const Index* labels);

  /// The sums so far, for another shift.
  FeatureRidge copy() const;
  /// Once; returns the jitter. Throws NumericalError if the matrix is not positive definite with it.
  double solve(double shift, const CholeskyOptions& options = {});

  Index features() const { return A_.rows(); }
  const Matrix& W() const { return W_; }
  Matrix& W() { return W_; }
  MatrixView<const double> factor() const { return A_.view(); }  ///< lower triangular, once it is solved

 private:
  void add_products(MatrixView<const double> Z, const double* roots);

  Matrix weighted_, sums_;  ///< rows of Z times their roots; sums of pieces
  Matrix A_, W_;
};

}  // namespace gramian
