// SPDX-License-Identifier: BSD-3-Clause
// The Jacobians of the equations (A.1) of many rows, factored: symmetric, with blocks next to the diagonal only.
#pragma once

#include <vector>

#include "models/deep_pca/rows.hpp"

namespace gramian::deep_pca {

/// Residuals of some rows, and what their Jacobians are made of.
struct Linearised {
  Features residuals;             ///< r_j, q x s_j
  std::vector<double> sizes;      ///< Equations::residuals()
  std::vector<Matrix> couplings;  ///< of level j with the next one: q x (s_(j+1) s_j), d G_j / d h_(j+1) / eta_(j+1)
  std::vector<Matrix> curvature;  ///< q x (s_j s_j), d G_j / d h_j / eta_(j+1)
  std::vector<double> scales{};   ///< the largest of the terms of a row's residuals; of linearised() alone

  /// Some rows in place of others.
  void put(const Linearised& from, Index row, Index at);
};

/// Factors of the Jacobians of all rows: at most unknowns^2 / 2 numbers for each row. Several rows are factored and solved side
/// by side, which leaves no room for pivots: the Jacobian of a row with a small pivot has an inverse by full pivoting instead.
class NewtonSystems {
 public:
  NewtonSystems() = default;
  NewtonSystems(const Equations& equations, const Linearised& linearised);

  /// steps (as many as rows, x unknowns): row k gets the solution with the Jacobian of rows[k] and row k of the residuals. Rows
  /// are in ascending order.
  Matrix steps(const std::vector<Index>& rows, const Features& residuals) const;

 private:
  /// Where the row of an unknown stands among the numbers of a group: entries for unknowns from `first` to before `end`, and the
  /// diagonal.
  struct Part {
    Index start, first, end;
  };
  Index place(Index c, Index i) const {
    const Part& part = parts_[static_cast<std::size_t>(c)];
    return lanes * (part.start + (i == c ? part.end : i) - part.first);
  }
  double* numbers(Index group) { return factors_.data() + group * numbers_ * lanes; }
  const double* numbers(Index group) const { return factors_.data() + group * numbers_ * lanes; }
  void assemble(const Equations& equations, const Linearised& linearised, Index group, double* out) const;
  std::vector<bool> factor(double* numbers) const;
  Matrix inverse(Index lane, const double* whole) const;
  void solve(Index group, double* x) const;

  static constexpr Index lanes = 8;  ///< rows that are solved side by side
  Index n_ = 0, numbers_ = 0, rows_ = 0, groups_ = 0;
  std::vector<Part> parts_{};
  Buffer<double> factors_{};
  std::vector<Matrix> inverses_{};  ///< of rows without factors
};

}  // namespace gramian::deep_pca
