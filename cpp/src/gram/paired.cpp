// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/paired.hpp"

#include "base/check.hpp"
#include "base/pieces.hpp"
#include "gram/rows.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

/// Pairs of a tile of which the diagonal is read: what is evaluated in vain takes less time than the way to a tile.
constexpr Index together = 16;

}  // namespace

void paired(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<double> out) {
  require(X.size() == Y.size(), "X has " + std::to_string(X.size()) + " points and Y " + std::to_string(Y.size()) +
                                    ", there must be a partner for each");
  require_shape(out, X.size(), 1, "out");
  const double seconds = 5e-6 + 1e-9 * static_cast<double>(together * together * X.dimension());
  for_pieces(X.size(), together, seconds, [&](Index first, Index last) {
    Matrix tile(last - first, last - first);
    full(kernel, rows_of(X, first, last - first), rows_of(Y, first, last - first), tile.view());
    for (Index i = first; i < last; ++i) out(i, 0) = tile(i - first, i - first);
  });
}

}  // namespace gramian
