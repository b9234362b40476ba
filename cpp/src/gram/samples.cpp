// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/samples.hpp"

#include <string>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/sparse_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"

namespace gramian {
namespace {

/// The arrays of sparse rows that are a copy.
struct SparseNumbers {
  std::vector<Index> row_start{0};
  std::vector<Index> columns{};
  std::vector<double> values{};

  void add_row(const SparseRows<double>& X, Index row) {
    columns.insert(columns.end(), X.columns + X.row_start[row], X.columns + X.row_start[row + 1]);
    values.insert(values.end(), X.values + X.row_start[row], X.values + X.row_start[row + 1]);
    row_start.push_back(static_cast<Index>(columns.size()));
  }
};

Samples sparse_samples(SparseNumbers numbers, Index cols) {
  const auto owned = std::make_shared<const SparseNumbers>(std::move(numbers));
  const Index rows = static_cast<Index>(owned->row_start.size()) - 1;
  return {SparseRows<double>{rows, cols, owned->row_start.data(), owned->columns.data(), owned->values.data()}, owned};
}

void require_finite_rows(MatrixView<const double> rows) {
  if (all_finite(rows)) return;
  Index first = 0;
  while (all_finite(rows_of(rows, first, 1))) ++first;
  require(false, "row " + std::to_string(first) + " of the samples has an entry that is not finite");
}

void check_sparse_rows(const SparseRows<double>& X) {
  require(X.rows >= 0 && X.cols >= 0, "the samples have a negative number of rows or columns");
  check_sparse(X, "the samples");
}

}  // namespace

Samples::Samples(SharedMatrix rows) : form_(Form::dense), size_(rows.rows()), dense_(std::move(rows)) {
  require_finite_rows(dense_.view());
}

Samples::Samples(const SparseRows<double>& rows, std::shared_ptr<const void> owner)
    : form_(Form::sparse), size_(rows.rows), sparse_(rows), sparse_owner_(std::move(owner)) {
  check_sparse_rows(rows);
}

Samples Samples::counted(Index count) {
  require(count >= 0, "the number of samples must not be negative");
  Samples samples;
  samples.size_ = count;
  return samples;
}

Samples Samples::copy_of(const Points& points) {
  require(points.scalar() == Scalar::float64, "samples must be float64, these are float32");
  if (!points.sparse()) return SharedMatrix::copy_of(points.float64());
  const SparseRows<double>& X = points.sparse64();
  check_sparse_rows(X);
  SparseNumbers copy;
  for (Index i = 0; i < X.rows; ++i) copy.add_row(X, i);
  return sparse_samples(std::move(copy), X.cols);
}

Points Samples::points() const {
  require(form_ != Form::count, "of these samples only the number is known: kernel values to them are needed");
  return form_ == Form::dense ? Points(dense_.view()) : Points(sparse_);
}

Samples Samples::some(const std::vector<Index>& rows) const {
  for (const Index row : rows) {
    if (row < 0 || row >= size_) {
      require(false, "row " + std::to_string(row) + " is not among the " + std::to_string(size_) + " samples");
    }
  }
  if (form_ == Form::count) return counted(static_cast<Index>(rows.size()));
  if (form_ == Form::dense) return SharedMatrix(picked(dense_.view(), rows));
  SparseNumbers copy;
  for (const Index row : rows) copy.add_row(sparse_, row);
  return sparse_samples(std::move(copy), sparse_.cols);
}

}  // namespace gramian
