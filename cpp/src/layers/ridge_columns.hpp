// SPDX-License-Identifier: BSD-3-Clause
// The outputs of a ridge regression in the eigenbasis of A, where each of them is a problem of its own, and outputs with equal
// eigenvalues share a system.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/ovk/output_operator.hpp"

namespace gramian {

/// Columns first .. first + count - 1, whose eigenvalue is a.
struct RidgeGroup {
  double a;
  Index first;
  Index count;
};

class RidgeColumns {
 public:
  /// The targets must outlive this.
  RidgeColumns(const OutputOperator& A, MatrixView<const double> targets);

  const std::vector<RidgeGroup>& groups() const { return groups_; }

  /// C U, its columns ordered by groups.
  MatrixView<const double> targets() const { return rotated_.empty() ? targets_ : rotated_.view(); }

  /// Whether U is the identity, and columns are where they were.
  bool plain() const { return rotated_.empty(); }

  /// out = Psi Uᵀ, with the columns of Psi ordered by groups.
  void rotate_back(MatrixView<const double> Psi, MatrixView<double> out) const;

 private:
  MatrixView<const double> targets_;
  std::vector<RidgeGroup> groups_;
  Matrix basis_;    // U, its columns ordered by groups
  Matrix rotated_;  // C U
};

}  // namespace gramian
