// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_risk.hpp"

#include "losses/cross_entropy.hpp"

namespace gramian {

/// [MCE] Alg. 1, line 11: the losses of q, with their slopes.
void take_risk(const EmbeddingPoint& at, MatrixView<const double> P, EmbeddingTerms& terms, std::vector<double>& slopes) {
  const EmbeddingBatch& batch = at.batch;
  const ClippedCrossEntropy loss{at.criterion.epsilon};
  const Index first = batch.size() - P.rows();
  double risk = 0.0, right = 0.0, total = 0.0;
  slopes.resize(static_cast<std::size_t>(P.rows()));
  for (Index i = 0; i < P.rows(); ++i) {
    const Index label = batch.label(first + i);
    const double weight = batch.weight(first + i);
    Index best = 0;
    for (Index c = 1; c < P.cols(); ++c) best = P(i, c) > P(i, best) ? c : best;
    const ClippedCrossEntropy::Cost cost = loss(P(i, label));
    risk += weight * cost.value;
    right += best == label ? weight : 0.0;
    total += weight;
    slopes[static_cast<std::size_t>(i)] = batch.risk_factor * weight * cost.slope;
  }
  terms.risk = batch.risk_factor * risk;
  terms.accuracy = right / total;
}

}  // namespace gramian
