// SPDX-License-Identifier: BSD-3-Clause
#include "gram/pending_rows.hpp"

#include <memory>
#include <string>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/gram_block.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
void append_dense(std::vector<T>& values, MatrixView<const T> X) {
  values.reserve(values.size() + at(X.rows() * X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index k = 0; k < X.cols(); ++k) values.push_back(X(i, k));
  }
}

std::vector<double> widened(const std::vector<double>& wide, const std::vector<float>& narrow, bool is_wide) {
  return is_wide ? wide : std::vector<double>(narrow.begin(), narrow.end());
}

}  // namespace

template <class T>
void GrowingRows::append_to(std::vector<T>& values, const SparseRows<T>& X) {
  for (Index i = 0; i < X.rows; ++i) {
    require(X.row_start[i] >= 0 && X.row_start[i] <= X.row_start[i + 1],
            "row_start of the points must not decrease from 0 or above");
    columns_.insert(columns_.end(), X.columns + X.row_start[i], X.columns + X.row_start[i + 1]);
    values.insert(values.end(), X.values + X.row_start[i], X.values + X.row_start[i + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
}

void GrowingRows::append(const Points& points) {
  const bool wide = scalar_ == Scalar::float64;
  if (sparse_) {
    wide ? append_to(wide_, points.sparse64()) : append_to(narrow_, points.sparse32());
  } else {
    wide ? append_dense(wide_, points.float64()) : append_dense(narrow_, points.float32());
  }
  size_ += points.size();
}

void GrowingRows::clear() {
  size_ = 0;
  wide_.clear();
  narrow_.clear();
  columns_.clear();
  row_start_.assign(1, 0);
}

Points GrowingRows::points() const {
  const bool wide = scalar_ == Scalar::float64;
  if (sparse_ && wide) return SparseRows<double>{size_, dimension_, row_start_.data(), columns_.data(), wide_.data()};
  if (sparse_) return SparseRows<float>{size_, dimension_, row_start_.data(), columns_.data(), narrow_.data()};
  if (wide) return MatrixView<const double>(wide_.data(), size_, dimension_);
  return MatrixView<const float>(narrow_.data(), size_, dimension_);
}

Samples GrowingRows::samples() const {
  const bool wide = scalar_ == Scalar::float64;
  const std::vector<double> values = widened(wide_, narrow_, wide);
  if (sparse_) return Samples::copy_of(SparseRows<double>{size_, dimension_, row_start_.data(), columns_.data(), values.data()});
  return Samples::copy_of(MatrixView<const double>(values.data(), size_, dimension_));
}

void PendingRows::add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row) {
  require_finite_rows(X, "X", first_row);
  rows_.append(X);
  for (Index i = 0; i < X.size(); ++i) {
    weights_.push_back(weights.empty() ? 1.0 : weights(i, 0));
    for (Index c = 0; c < outputs_; ++c) Y_.push_back(Y(i, c));
  }
}

void PendingRows::add_samples(const Samples& samples, MatrixView<const double> weights, MatrixView<const double> Y) {
  const Points like = rows_.points(), X = samples.points();
  require(X.sparse() == like.sparse() && X.dimension() == like.dimension(),
          "the pending rows of the parts are not as the centres");
  if (like.scalar() == Scalar::float64) return add(X, weights, Y, 0);
  if (!X.sparse()) {
    const std::vector<float> values(samples.dense().data(), samples.dense().data() + X.size() * X.dimension());
    return add(MatrixView<const float>(values.data(), X.size(), X.dimension()), weights, Y, 0);
  }
  const SparseRows<double>& from = samples.sparse();
  const std::vector<float> values(from.values, from.values + from.row_start[from.rows]);
  add(SparseRows<float>{from.rows, from.cols, from.row_start, from.columns, values.data()}, weights, Y, 0);
}

void PendingRows::clear() {
  rows_.clear();
  weights_.clear();
  Y_.clear();
}

}  // namespace gramian
