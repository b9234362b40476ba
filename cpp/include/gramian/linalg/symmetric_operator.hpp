// SPDX-License-Identifier: BSD-3-Clause
// Symmetric maps that are known by their products only, and approximate inverses of them.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A symmetric positive semi-definite map on columns that is never formed.
class GRAMIAN_API SymmetricOperator {
 public:
  virtual ~SymmetricOperator();
  virtual Index size() const = 0;  ///< n
  /// out = A V; V, out: n x r of any strides, not overlapping. Any r >= 1.
  virtual void apply(MatrixView<const double> V, MatrixView<double> out) const = 0;
  /// The unit roundoff of its products, by which a solver knows what is rounding; 2^-53 unless overridden.
  virtual double unit_roundoff() const;
};

/// An approximate inverse of such a map: symmetric, positive definite.
class GRAMIAN_API Preconditioner {
 public:
  virtual ~Preconditioner();
  /// out = M^-1 R; R, out: n x r of any strides, not overlapping.
  virtual void apply(MatrixView<const double> R, MatrixView<double> out) const = 0;
};

/// A matrix that the caller holds: a view of it. Its rows are used, and it is taken to be symmetric.
class GRAMIAN_API StoredOperator final : public SymmetricOperator {
 public:
  /// Throws std::invalid_argument if A is not square.
  explicit StoredOperator(MatrixView<const double> A);
  Index size() const override { return A_.rows(); }
  void apply(MatrixView<const double> V, MatrixView<double> out) const override;

 private:
  MatrixView<const double> A_;
};

}  // namespace gramian
