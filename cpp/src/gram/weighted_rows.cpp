// SPDX-License-Identifier: BSD-3-Clause
#include "gram/weighted_rows.hpp"

#include "base/check.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_entry = 2e-9;

void add_row(MatrixView<const double> weights, Index row, const SparseRows<double>& Y, MatrixView<double> out) {
  for (Index j = 0; j < Y.cols; ++j) out(row, j) = 0.0;
  for (Index i = 0; i < Y.rows; ++i) {
    for (Index e = Y.row_start[i]; e < Y.row_start[i + 1]; ++e) out(row, Y.columns[e]) += weights(row, i) * Y.values[e];
  }
}

}  // namespace

void weighted_rows(MatrixView<const double> weights, const Points& Y, MatrixView<double> out) {
  require_shape(weights, weights.rows(), Y.size(), "weights");
  require_shape(out, weights.rows(), Y.dimension(), "out");
  if (out.empty()) return;
  if (!Y.sparse()) return gemm(1.0, weights, Y.float64(), 0.0, out);
  const SparseRows<double>& rows = Y.sparse64();
  const double entries = static_cast<double>(rows.row_start[rows.rows] - rows.row_start[0]);
  parallel_for(weights.rows(), seconds_per_entry * entries, [&](Index i, int) { add_row(weights, i, rows, out); });
}

}  // namespace gramian
