// SPDX-License-Identifier: BSD-3-Clause
// The vectors of conjugate gradients for several right sides: each column is contiguous, those that take part in a product are
// brought together, and all are scaled by powers of two.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/snapshot.hpp"
#include "gramian/linalg/symmetric_operator.hpp"

namespace gramian {

/// Names of the vectors of a column.
enum class Vectors : int { targets, solution, residual, direction };

/// b, x, r and p of each column, n numbers each, for b of largest magnitude in [1, 2): squares of these do not overflow.
class SolverColumns {
 public:
  /// x = 0 and r = b. Throws MemoryLimitError.
  explicit SolverColumns(MatrixView<const double> B);

  Index n() const { return n_; }
  Index count() const { return count_; }
  double power(Index j) const { return powers_[static_cast<std::size_t>(j)]; }  ///< what column j was divided by
  const double* column(Vectors name, Index j) const { return of(name).data() + j * n_; }
  double* column(Vectors name, Index j) { return of(name).data() + j * n_; }

  double dot(Vectors name, Index j, const double* with) const;
  double norm(Vectors name, Index j) const;
  double largest(Vectors name, Index j) const;
  /// |p / scale|^2
  double scaled_square(Index j, double scale) const;
  double largest_of(const double* vector) const;

  /// x = start and r = b - A x.
  void begin_at(const SymmetricOperator& A, MatrixView<const double> start);
  /// x = r = 0.
  void clear(Index j);
  /// x += length p, r -= length image
  void advance(Index j, double length, const double* image);
  /// p = z + factor p
  void turn(Index j, const double* z, double factor);
  /// |b - image|; `deviation` becomes the norm of what that differs by from r.
  double true_residual(Index j, const double* image, double& deviation) const;
  /// r = b - image
  void replace_residual(Index j, const double* image);

  /// A times some columns: the direction of each, or its solution. Column after column, n numbers each.
  const double* multiplied(const SymmetricOperator& A, const std::vector<Index>& which, const std::vector<Vectors>& names);
  /// The preconditioner times the residuals of some columns; null: the residuals.
  const double* divided(const Preconditioner* inverse, const std::vector<Index>& which);

  /// x of all columns, times their powers.
  void write_solution(MatrixView<double> out) const;
  void fields(SnapshotFields& state, Vectors name, const char* label);

 private:
  const Matrix& of(Vectors name) const { return vectors_[static_cast<int>(name)]; }
  Matrix& of(Vectors name) { return vectors_[static_cast<int>(name)]; }
  /// The columns side by side, as an n x count matrix.
  template <class T>
  MatrixView<T> side_by_side(T* data, Index count) const;

  Index n_, count_;
  std::vector<double> powers_;
  Matrix vectors_[4];  // count x n each
  Matrix block_, image_;
};

}  // namespace gramian
