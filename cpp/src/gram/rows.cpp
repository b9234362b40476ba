// SPDX-License-Identifier: BSD-3-Clause
#include "gram/rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"

namespace gramian {
namespace {

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(at(count));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

Matrix picked_squares(const InnerProducts<double>& products, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), 1);
  for (Index i = 0; i < out.rows(); ++i) out(i, 0) = products.x_square(rows[at(i)]);
  return out;
}

}  // namespace

bool same_points(const Points& X, const Points& Y) {
  if (X.scalar() != Scalar::float64 || Y.scalar() != Scalar::float64 || X.sparse() != Y.sparse()) return false;
  if (X.size() != Y.size() || X.dimension() != Y.dimension()) return false;
  if (X.sparse()) {
    const SparseRows<double>&x = X.sparse64(), &y = Y.sparse64();
    return x.row_start == y.row_start && x.columns == y.columns && x.values == y.values;
  }
  const MatrixView<const double> x = X.float64(), y = Y.float64();
  return x.data() == y.data() && x.row_stride() == y.row_stride() && x.col_stride() == y.col_stride();
}

Points rows_of(const Points& X, Index first, Index rows) {
  require(first >= 0 && first + rows <= X.size(), "points are counted from 0");
  const bool wide = X.scalar() == Scalar::float64;
  if (!X.sparse()) return wide ? Points(rows_of(X.float64(), first, rows)) : Points(rows_of(X.float32(), first, rows));
  const auto some = [&](auto sparse) {
    sparse.rows = rows;
    sparse.row_start += first;
    return Points(sparse);
  };
  return wide ? some(X.sparse64()) : some(X.sparse32());
}

Matrix dense_copy(const Points& X) {
  require(X.scalar() == Scalar::float64, "points must be float64");
  if (!X.sparse()) return Matrix::copy_of(X.float64());
  const SparseRows<double>& rows = X.sparse64();
  Matrix out = Matrix::filled(rows.rows, rows.cols, 0.0);
  for (Index i = 0; i < rows.rows; ++i) {
    for (Index e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) {
      require(rows.columns[e] >= 0 && rows.columns[e] < rows.cols, "points have a column index out of its range");
      out(i, rows.columns[e]) += rows.values[e];
    }
  }
  return out;
}

std::vector<Index> some_rows(Index size, Index most) {
  std::vector<Index> order = all_rows(size);
  if (size <= most) return order;
  random_permutation(RandomStream(0), order.data(), size);
  order.resize(at(most));
  std::sort(order.begin(), order.end());
  return order;
}

PickedRows::PickedRows(Matrix points) : numbers_(std::move(points)) { source_.emplace(Points(std::as_const(numbers_).view())); }

void PickedRows::take(const PointSource& from, const std::vector<Index>& rows) {
  if (from.inner()) {
    numbers_ = picked(from.products().inner(), rows, rows);
    source_.emplace(InnerProducts<double>(std::as_const(numbers_).view()));
  } else if (from.points().sparse()) {
    take_sparse(from.points().sparse64(), rows);
  } else {
    const MatrixView<const double> X = from.points().float64();
    ensure_shape(numbers_, static_cast<Index>(rows.size()), X.cols());
    pick_rows(X, rows, numbers_.view());
    source_.emplace(Points(std::as_const(numbers_).view()));
  }
}

void PickedRows::take_sparse(const SparseRows<double>& X, const std::vector<Index>& rows) {
  row_start_.assign(1, 0);
  columns_.clear();
  values_.clear();
  for (const Index row : rows) {
    columns_.insert(columns_.end(), X.columns + X.row_start[row], X.columns + X.row_start[row + 1]);
    values_.insert(values_.end(), X.values + X.row_start[row], X.values + X.row_start[row + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
  const Index count = static_cast<Index>(rows.size());
  source_.emplace(Points(SparseRows<double>{count, X.cols, row_start_.data(), columns_.data(), values_.data()}));
}

PickedPairs::PickedPairs(const PointSource& source, const std::vector<Index>& samples, const std::vector<Index>& supports)
    : all_(source) {
  if (!source.inner()) {
    if (!samples.empty()) samples_.emplace(source, samples);
    supports_.emplace(source, supports);
    return;
  }
  const std::vector<Index> rows = samples.empty() ? all_rows(source.size()) : samples;
  inner_ = picked(source.products().inner(), rows, supports);
  sample_squares_ = picked_squares(source.products(), rows);
  support_squares_ = picked_squares(source.products(), supports);
}

InnerProducts<double> PickedPairs::products() const {
  return InnerProducts<double>(inner_.view(), sample_squares_.view(), support_squares_.view());
}

void PickedPairs::product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const {
  if (!inner()) return gramian::product(kernel, samples(), supports(), V, out);
  gramian::product(kernel, products(), V, out);
}

void PickedPairs::transposed(const Kernel& kernel, MatrixView<const double> U, MatrixView<double> out) const {
  if (!inner()) return gramian::product(kernel, supports(), samples(), U, out);
  const InnerProducts<double> turned(gramian::transposed(inner_.view()), support_squares_.view(), sample_squares_.view());
  gramian::product(kernel, turned, U, out);
}

void PickedPairs::full(const Kernel& kernel, MatrixView<double> K) const {
  if (!inner()) return gramian::full(kernel, samples(), supports(), K);
  gramian::full(kernel, products(), K);
}

}  // namespace gramian
