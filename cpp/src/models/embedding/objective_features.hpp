// SPDX-License-Identifier: BSD-3-Clause
// The objective by p x p systems, for explicit features below a linear kernel, [MCE] Alg. 2.
#pragma once

#include <vector>

#include "layers/feature_ridge.hpp"
#include "models/embedding/objective_risk.hpp"

namespace gramian::embedding {

/// With w the weights, N their sum, T the rows that the embedding is made of and R those that the risk is taken of:
///
///   A = Z_T^T w Z_T + N lambda I,  W = A^-1 Z_T^T w Y,  P = Z_R W,  r = alpha |W|
class FeatureSystem {
 public:
  /// Z: a row of features for each sample of the batch. False: A is not positive definite to rounding.
  bool evaluate(const Point& at, MatrixView<const double> Z, Outcome& out);

  /// The gradient at the last evaluation: in lambda and alpha (of `out`), and in Z (overwritten).
  void reverse(const Point& at, MatrixView<const double> Z, Outcome& out, MatrixView<double> Z_bar);

 private:
  double sensitivity(const Point& at, MatrixView<const double> Z);

  FeatureRidge ridge_;
  Matrix U_, fitted_, ZU_, left_, right_;
  std::vector<double> slopes_;
  double norm_ = 0.0;
  double alpha_ = 0.0;
  Index largest_ = 0;  // the row with the largest norm
};

}  // namespace gramian::embedding
