// SPDX-License-Identifier: BSD-3-Clause
// What the two forms of the objective have in common: the risk of predictions, and how they are asked for.
#pragma once

#include <vector>

#include "models/embedding/objective_batch.hpp"

namespace gramian {

/// What one evaluation is given. alpha is the sensitivity if it is known beforehand, and 0 where it is the largest among the
/// samples.
struct EmbeddingPoint {
  const EmbeddingBatch& batch;
  const EmbeddingCriterion& criterion;
  Index classes;
  double lambda;
  double alpha;
};

/// What comes out: q = terms.risk + tau terms.complexity.
struct EmbeddingOutcome {
  EmbeddingTerms terms;
  double alpha = 0.0;      ///< that was used
  double alpha_bar = 0.0;  ///< the gradient in it, if it was known beforehand
  double lambda_bar = 0.0;
};

/// The risk of the predictions P of the batch's last P.rows() samples, and how it changes with the probability of each one's own
/// class; sets risk and accuracy.
void take_risk(const EmbeddingPoint& at, MatrixView<const double> P, EmbeddingTerms& terms, std::vector<double>& slopes);

}  // namespace gramian
