// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/probabilities.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"

namespace gramian {

/// [MCE] (6): and 1 / m where nothing is left.
void clip_normalise(MatrixView<double> decision) {
  const Index m = decision.cols();
  for_rows(decision.rows(), m, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double sum = 0.0;
      for (Index c = 0; c < m; ++c) sum += decision(i, c) = std::max(decision(i, c), 0.0);
      for (Index c = 0; c < m; ++c) decision(i, c) = sum > 0.0 ? decision(i, c) / sum : 1.0 / static_cast<double>(m);
    }
  });
}

void log_softmax(MatrixView<double> logits) {
  const Index m = logits.cols();
  for_rows(logits.rows(), m, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double most = logits(i, 0), sum = 0.0;
      for (Index c = 1; c < m; ++c) most = std::max(most, logits(i, c));
      for (Index c = 0; c < m; ++c) sum += std::exp(logits(i, c) -= most);
      const double shift = std::log(sum);
      for (Index c = 0; c < m; ++c) logits(i, c) -= shift;
    }
  });
}

}  // namespace gramian
