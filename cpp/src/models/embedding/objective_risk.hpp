// SPDX-License-Identifier: BSD-3-Clause
// What the two forms of the system have in common: the risk of predictions, and how they are asked for.
#pragma once

#include <optional>
#include <vector>

#include "losses/cross_entropy.hpp"
#include "models/embedding/objective_batch.hpp"

namespace gramian::embedding {

/// What one evaluation is given. alpha is the sensitivity if it is known beforehand, and 0 where it is the largest among the
/// samples.
struct Point {
  const Batch& batch;
  const Criterion& criterion;
  Index classes;
  double lambda;
  double alpha;
  double max_jitter = 0.0;  ///< as in CholeskyOptions: a search takes a shorter step instead
};

/// What comes out: q = terms.risk + tau terms.complexity.
struct Outcome {
  Terms terms;
  Index predicted = 0;     ///< so many classes are the likeliest of some sample
  double alpha = 0.0;      ///< that was used
  double alpha_bar = 0.0;  ///< the gradient in it, if it was known beforehand
  double lambda_bar = 0.0;
};

/// Sums over samples, of which predictions come in any number of blocks.
class RiskSum {
 public:
  RiskSum(double epsilon, Index classes) : RiskSum(classes) { loss_ = ClippedCrossEntropy{epsilon}; }
  /// Without a risk.
  explicit RiskSum(Index classes) : seen_(static_cast<std::size_t>(classes), false) {}

  /// Row i of P is the prediction for a sample of this class; returns how its loss changes with the probability of it.
  double add(MatrixView<const double> P, Index i, Index label, double weight);

  double risk() const { return risk_; }  ///< of weighted losses
  double accuracy() const { return total_ > 0.0 ? right_ / total_ : 0.0; }
  double miss() const { return miss_ / total_; }  ///< the mean of |e_y - f(x)|^2
  Index predicted() const;

 private:
  std::optional<ClippedCrossEntropy> loss_;
  double risk_ = 0.0, right_ = 0.0, total_ = 0.0, miss_ = 0.0;
  std::vector<bool> seen_;
};

/// The risk of the predictions P of the batch's last P.rows() samples, and how it changes with the probability of each one's own
/// class; sets risk, accuracy and predicted classes.
void take_risk(const Point& at, MatrixView<const double> P, Outcome& out, std::vector<double>& slopes);

}  // namespace gramian::embedding
