// SPDX-License-Identifier: BSD-3-Clause
// Rows of points in chunks of a fixed size, wherever they come from.
#pragma once

#include <algorithm>
#include <string>

#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/row_source.hpp"

namespace gramian {

/// Calls each(points, first row) for all rows in order.
template <class Each>
void for_chunks(const Points& X, Index chunk, Scalar, Each each) {
  for (Index first = 0; first < X.size(); first += chunk) each(rows_of(X, first, std::min(chunk, X.size() - first)), first);
}

/// The same; points are of type `scalar`.
template <class Each>
void for_chunks(const RowSource& X, Index chunk, Scalar scalar, Each each) {
  const Index n = X.size(), d = X.dimension();
  Matrix wide(std::min(chunk, n), d);
  Buffer<float> narrow(scalar == Scalar::float32 ? wide.size() : 0);
  for (Index first = 0; first < n; first += chunk) {
    const Index rows = std::min(chunk, n - first);
    poll_stop();
    X.read(first, rows_of(wide.view(), 0, rows));
    if (scalar == Scalar::float64) {
      each(Points(rows_of(wide.view(), 0, rows)), first);
    } else {
      std::transform(wide.data(), wide.data() + rows * d, narrow.data(), [](double x) { return static_cast<float>(x); });
      each(Points(MatrixView<const float>(narrow.data(), rows, d)), first);
    }
  }
}

}  // namespace gramian
