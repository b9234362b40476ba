// SPDX-License-Identifier: BSD-3-Clause
// What the scores of classes decide.
#pragma once

#include "gramian/base/view.hpp"

namespace gramian {

/// The number of the largest score of each row; ties are broken in favour of the first.
inline void first_largest(MatrixView<const double> scores, MatrixView<double> out) {
  for (Index i = 0; i < scores.rows(); ++i) {
    Index best = 0;
    for (Index c = 1; c < scores.cols(); ++c) best = scores(i, c) > scores(i, best) ? c : best;
    out(i, 0) = static_cast<double>(best);
  }
}

}  // namespace gramian
