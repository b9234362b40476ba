// SPDX-License-Identifier: BSD-3-Clause
// The system of the regression in dense form: S K S + alpha I, S the roots of the samples' weights.
#pragma once

#include <vector>

#include "gram/learned_gram.hpp"
#include "gramian/gram/source.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian::kernel_ridge {

/// By Cholesky, for one alpha after the other. The lower triangles of K and of the factor are kept in tiles: n^2 numbers for
/// both.
class ExactSystem {
 public:
  /// roots: of the weights; empty: 1 each. Both must outlive this.
  ExactSystem(const GramSource& X, const std::vector<double>& roots);

  /// B = (S K S + alpha I)^-1 B; or false if the matrix is not positive definite, and B stays as it is.
  bool solve(double alpha, MatrixView<double> B);

 private:
  const double* tile(Index row_tile, Index col_tile);

  const std::vector<double>& roots_;
  Index size_;
  MatrixView<const double> stored_{};
  Matrix copy_{};  // of a stored matrix whose rows have gaps between their entries
  LearnedGram gram_{};
  PackedLower factor_;
  Buffer<double> room_{};
};

/// The same matrix by its eigenvectors: S K S = V diag(s) Vᵀ.
class Spectrum {
 public:
  /// Any symmetric K, or one that has no negative eigenvalues.
  enum class Signs { any, semidefinite };
  Spectrum(const GramSource& X, const std::vector<double>& roots, Signs signs);

  const Matrix& values() const { return values_; }    ///< s: n x 1
  const Matrix& vectors() const { return vectors_; }  ///< V: n x n

  /// B becomes the solution of (S K S + alpha I) Z = B in the sense of least squares, with the smallest norm: eigenvalues that
  /// are rounding of the largest one count as 0.
  /// Returns |B - (S K S + alpha I) Z|^2: what of B no Z can reach.
  double solve(double alpha, MatrixView<double> B) const;

 private:
  Matrix values_, vectors_;
};

}  // namespace gramian::kernel_ridge
