// SPDX-License-Identifier: BSD-3-Clause
// Which candidates for pivots become pivots, decided on small matrices: the rows and columns of the candidates alone.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gramian/base/view.hpp"

namespace gramian {

/// The candidates that stay, in their order, and the Cholesky factor of their rows and columns, row by row, `stride` numbers
/// apart.
struct ChosenPivots {
  std::vector<std::size_t> kept;
  std::vector<double> factor;
  std::size_t stride = 0;
};

/// Goes through the candidates of `left`, what is left of their rows and columns, in order: each is kept if what the kept ones
/// leave of its diagonal entry is above `smallest` and `accepts(what is left, the entry)` holds.
ChosenPivots keep_candidates(MatrixView<const double> left, double smallest,
                             const std::function<bool(double left, double entry)>& accepts);

/// At most `wanted` candidates, each time the one that takes most off the trace: the squares of its column, those of `rows`
/// (other rows, as many as candidates across) counted `weight` times, over its diagonal entry. Both matrices are used up.
std::vector<std::size_t> best_candidates(MatrixView<double> left, MatrixView<double> rows, double weight, std::size_t wanted,
                                         double smallest);

}  // namespace gramian
