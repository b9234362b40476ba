// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_risk.hpp"

#include <algorithm>

namespace gramian::embedding {

double RiskSum::add(MatrixView<const double> P, Index i, Index label, double weight) {
  Index best = 0;
  double square = 0.0;
  for (Index c = 0; c < P.cols(); ++c) {
    const double miss = P(i, c) - (c == label ? 1.0 : 0.0);
    square += miss * miss;
    best = P(i, c) > P(i, best) ? c : best;
  }
  miss_ += weight * square;
  right_ += best == label ? weight : 0.0;
  total_ += weight;
  seen_[static_cast<std::size_t>(best)] = true;
  if (!loss_) return 0.0;
  const ClippedCrossEntropy::Cost cost = (*loss_)(P(i, label));
  risk_ += weight * cost.value;
  return cost.slope;
}

Index RiskSum::predicted() const { return static_cast<Index>(std::count(seen_.begin(), seen_.end(), true)); }

/// [MCE] Alg. 1, line 11: the losses of q, with their slopes.
void take_risk(const Point& at, MatrixView<const double> P, Outcome& out, std::vector<double>& slopes) {
  const Batch& batch = at.batch;
  RiskSum sum(at.criterion.epsilon, at.classes);
  slopes.resize(static_cast<std::size_t>(P.rows()));
  for (Index i = 0, row = batch.size() - P.rows(); i < P.rows(); ++i, ++row) {
    const double slope = sum.add(P, i, batch.label(row), batch.weight(row));
    slopes[static_cast<std::size_t>(i)] = batch.risk_factor * batch.weight(row) * slope;
  }
  out.terms.risk = batch.risk_factor * sum.risk();
  out.terms.accuracy = sum.accuracy();
  out.predicted = sum.predicted();
}

}  // namespace gramian::embedding
