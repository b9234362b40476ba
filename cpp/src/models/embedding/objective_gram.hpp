// SPDX-License-Identifier: BSD-3-Clause
// The objective by n x n systems, for any kernel on points or on features.
#pragma once

#include <optional>
#include <vector>

#include "gram/learned_gram.hpp"
#include "linalg/packed_lower.hpp"
#include "models/embedding/objective_risk.hpp"

namespace gramian::embedding {

/// In the letters of [MCE], with D = diag(roots), N the sum of the weights, T the rows that the embedding is made of and R those
/// that the risk is taken of (the same, without a split):
///
///   B = D K_TT D + N lambda I,  S = B^-1 D Y,  V = D S,  P = K_RT V,  r = alpha sqrt(tr V^T K_TT V)
///
/// B S = D Y says that K_TT V = Y - N lambda D^-1 S. In the gradient Kbar = Left [V; 0]^T for all rows of the batch, of rank m.
class GramSystem {
 public:
  /// K of the batch, for any number of solutions. Throws std::invalid_argument if a kernel value is not finite.
  void take(const Batch& batch, const Kernel& kernel, const Points& points);
  /// False: B is not positive definite to rounding, or with the jitter that is allowed.
  bool solve(const Point& at);
  MatrixView<const double> V() const { return part(V_.view(), 0, S_.rows(), 0, V_.cols()); }
  const Matrix& predictions() const { return fitted_; }
  double jitter() const { return jitter_; }
  /// f of rows by the embedding of all others, in closed form: y - S / (root diag B^-1). O(n^2) each, without another matrix of
  /// n^2 numbers where there are more rows than `few_rows`.
  Matrix left_out(const Batch& batch, const std::vector<Index>& rows);
  static constexpr Index few_rows = 1024;

  /// Both, and the objective.
  bool evaluate(const Point& at, const Kernel& kernel, const Points& points, Outcome& out);

  /// The gradient at the last evaluation: in all parameters of the kernel, in lambda and alpha (of `out`), and in the points
  /// unless that is empty.
  void reverse(const Point& at, const Kernel& kernel, const Points& points, Outcome& out, std::vector<double>& kernel_bar,
               MatrixView<double> points_bar);

 private:
  void require_room(Index size);
  void take_predictions(const Point& at);
  std::vector<double> inverse_diagonal_at(const std::vector<Index>& rows);
  double sensitivity(const Point& at);
  void right_side(const Point& at, double c);
  void reverse_sensitivity(const Kernel& kernel, const Points& points, double alpha_bar, std::vector<double>& kernel_bar,
                           MatrixView<double> points_bar) const;

  Index room_ = 0;  // the largest batch there was memory for
  LearnedGram gram_;
  std::optional<PackedLower> factor_;
  Buffer<double> sides_;
  Matrix S_, V_, fitted_, U_, left_;  // fitted = [K_TT V; K_RT V], the second part with a split
  Matrix across_;                     // [.; K_TR Pbar] with a split, above its other half
  std::vector<double> slopes_;
  double square_ = 0.0;  // tr V^T K_TT V
  double alpha_ = 0.0;
  double jitter_ = 0.0;
  Index largest_ = 0;  // the row with the largest k(x, x)
};

}  // namespace gramian::embedding
