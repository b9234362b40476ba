// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/row_source.hpp"

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
void copy_dense(MatrixView<const T> X, Index first, MatrixView<double> out) {
  for_entries(out, [&](Index i, Index k) { out(i, k) = static_cast<double>(X(first + i, k)); });
}

/// Repeated column indices of a row add up, as they do everywhere else.
template <class T>
void expand(const SparseRows<T>& X, Index first, MatrixView<double> out) {
  fill_zero(out);
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index e = X.row_start[first + i]; e < X.row_start[first + i + 1]; ++e) {
      require(X.columns[e] >= 0 && X.columns[e] < X.cols, "the points have a column index out of range");
      out(i, X.columns[e]) += static_cast<double>(X.values[e]);
    }
  }
}

}  // namespace

RowSource::~RowSource() = default;

void StoredRows::read(Index first, MatrixView<double> out) const {
  require(first >= 0 && first + out.rows() <= size(), "rows " + std::to_string(first) + " .. " +
                                                          std::to_string(first + out.rows() - 1) + " are not among the " +
                                                          std::to_string(size()) + " rows of the source");
  require_shape(out, out.rows(), dimension(), "out");
  const bool wide = points_.scalar() == Scalar::float64;
  if (points_.sparse()) {
    wide ? expand(points_.sparse64(), first, out) : expand(points_.sparse32(), first, out);
  } else {
    wide ? copy_dense(points_.float64(), first, out) : copy_dense(points_.float32(), first, out);
  }
}

}  // namespace gramian
