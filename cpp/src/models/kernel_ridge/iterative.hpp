// SPDX-License-Identifier: BSD-3-Clause
// The system of the regression by its products: conjugate gradients with a preconditioner of low rank.
#pragma once

#include <optional>
#include <vector>

#include "gramian/gram/gram_operator.hpp"
#include "gramian/models/kernel_ridge.hpp"

namespace gramian::kernel_ridge {

/// V -> S K S V + alpha V. K is never formed, unless it was given.
class RegressionOperator final : public SymmetricOperator {
 public:
  /// roots: the diagonal of S; empty: ones. What is referred to must outlive this.
  RegressionOperator(const GramSource& X, const std::vector<double>& roots, Scalar precision);
  void set_alpha(double alpha) { alpha_ = alpha; }

  Index size() const override { return size_; }
  void apply(MatrixView<const double> V, MatrixView<double> out) const override;
  double unit_roundoff() const override;

 private:
  const SymmetricOperator& gram() const;

  Index size_;
  const std::vector<double>& roots_;
  double alpha_ = 0.0;
  std::optional<GramOperator> points_;
  std::optional<StoredOperator> stored_;
};

/// The coefficients of `out`, which are S y at first, become (S K S + alpha I)^-1 S y, one group of the same alpha after the
/// other; the rest of it says how.
/// With a validation the coefficients are those of the best score. start: coefficients to begin with, or empty.
void solve_by_iterations(const GramSource& X, const Options& options, const std::vector<double>& roots, Fit& out,
                         Observer* observer, const Validation* validation, MatrixView<const double> start = {});

}  // namespace gramian::kernel_ridge
