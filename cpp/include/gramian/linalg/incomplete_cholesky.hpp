// SPDX-License-Identifier: BSD-3-Clause
// A ≈ F Fᵀ of low rank, from a few columns of a positive semi-definite A that is never formed.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A symmetric positive semi-definite matrix that gives its diagonal and its columns.
class GRAMIAN_API SymmetricColumns {
 public:
  virtual ~SymmetricColumns();
  virtual Index size() const = 0;
  virtual void diagonal(double* out) const = 0;                                             ///< n numbers
  virtual void columns(const std::vector<Index>& which, MatrixView<double> out) const = 0;  ///< out: n x which.size()

  /// out = the entries of some rows in some columns. Without an override they are taken from whole columns, which takes longer.
  virtual void entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const;
};

/// A matrix that is there already; a view of it.
class GRAMIAN_API StoredColumns final : public SymmetricColumns {
 public:
  explicit StoredColumns(MatrixView<const double> A) : A_(A) {}
  Index size() const override { return A_.rows(); }
  void diagonal(double* out) const override;
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override;
  void entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const override;

 private:
  MatrixView<const double> A_;
};

/// How the next columns of an incomplete factorization are chosen.
enum class Pivoting {
  random,  ///< with probability proportional to what is left of the diagonal: close to the best rank-m error, and columns come in
           ///< blocks
  greedy,  ///< the largest of what is left of the diagonal, one column at a time: the classical algorithm
  gain     ///< of three times as many random candidates those that take most off the trace, judged on 256 random rows: a smaller
           ///< error at the same rank
};

/// Options of incomplete_cholesky().
struct IncompleteCholeskyOptions {
  Index max_rank = 0;        ///< columns at most; 0: as many as there are
  double tolerance = 1e-10;  ///< stop when the trace of what is left is below this part of the trace; 0: never
  Pivoting pivoting = Pivoting::random;
  std::uint64_t seed = 0;  ///< of random pivots

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_rank", &IncompleteCholeskyOptions::max_rank);
    visit("tolerance", &IncompleteCholeskyOptions::tolerance);
    visit("pivoting", &IncompleteCholeskyOptions::pivoting);
    visit("seed", &IncompleteCholeskyOptions::seed);
  }
};

/// Why an incomplete factorization ended.
enum class IncompleteStop { tolerance, rank, exhausted };  ///< exhausted: the rest is rounding

/// The result: A ≈ F Fᵀ, exact in the rows and columns of the pivots.
class GRAMIAN_API IncompleteCholesky {
 public:
  MatrixView<const double> factor() const { return {numbers_.data(), size_, rank(), capacity_, 1}; }  ///< F, n x rank
  void copy_factor(MatrixView<double> out) const;                                                     ///< out = F
  const std::vector<Index>& pivots() const { return pivots_; }  ///< in the order of F's columns
  Index rank() const { return static_cast<Index>(pivots_.size()); }
  double trace() const { return trace_; }
  double residual_trace() const { return residual_trace_; }  ///< trace(A - F Fᵀ) >= 0
  IncompleteStop stop_reason() const { return stop_reason_; }

 private:
  friend class IncompleteFactorization;
  Index size_ = 0;
  Index capacity_ = 0;
  Buffer<double> numbers_;
  std::vector<Index> pivots_;
  double trace_ = 0.0;
  double residual_trace_ = 0.0;
  IncompleteStop stop_reason_ = IncompleteStop::exhausted;
};

/// O(n m^2) operations and O(n m) numbers for rank m; m columns of A are asked for, and entries in a few rows of some more. The
/// same bits for any number of threads. Random pivots are drawn in blocks and thinned out by rejection, which leaves exactly the
/// distribution of drawing one at a time. Throws std::invalid_argument for a diagonal that is negative or not finite, or options
/// out of their range, MemoryLimitError.
GRAMIAN_API IncompleteCholesky incomplete_cholesky(const SymmetricColumns& A, const IncompleteCholeskyOptions& options = {});

/// The same of a Gram matrix that somebody computed, of as many columns as K has rank: K - F Fᵀ is at most 1e-6 of the largest
/// magnitude on the diagonal in every entry. O(n^2 m) more operations. Throws std::invalid_argument if K is not square, or not
/// positive semidefinite: then more than that is left.
GRAMIAN_API IncompleteCholesky gram_factor(MatrixView<const double> K);

}  // namespace gramian
