// SPDX-License-Identifier: BSD-3-Clause
#include "gram/scaled_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

void check_numbers(const std::vector<double>& numbers, Index columns, const std::string& name, bool positive) {
  if (!numbers.empty() && static_cast<Index>(numbers.size()) != columns) {
    require(false, name + " has " + std::to_string(numbers.size()) + " numbers, it must have " + std::to_string(columns) +
                       ": one for each column");
  }
  for (const double number : numbers) {
    if (!std::isfinite(number)) require(false, name + " has a number that is not finite");
    if (positive && !(number > 0.0)) require(false, name + " has a number that is not greater than 0");
  }
}

void require_column(Index column, Index columns) {
  require(column >= 0 && column < columns, "points have a column index out of its range");
}

double factor(const std::vector<double>& scale, Index column) { return scale.empty() ? 1.0 : 1.0 / scale[at(column)]; }

bool all_are(const std::vector<double>& numbers, double value) {
  return std::all_of(numbers.begin(), numbers.end(), [value](double number) { return number == value; });
}

}  // namespace

void check_scaling(const ColumnScaling& scaling, Index columns, const char* what) {
  check_numbers(scaling.shift, columns, std::string("the shift of ") + what, false);
  check_numbers(scaling.scale, columns, std::string("the scale of ") + what, true);
}

ColumnScaling effective_scaling(ColumnScaling scaling) {
  if (all_are(scaling.shift, 0.0)) scaling.shift.clear();
  if (all_are(scaling.scale, 1.0)) scaling.scale.clear();
  return scaling;
}

Points ScaledRows::take(const Points& X, const ColumnScaling& by, bool sparse) {
  if (!sparse) return X.sparse() || !by.shift.empty() || !by.scale.empty() ? Points(dense(X, by)) : X;
  require(by.shift.empty(), "sparse rows can't be shifted");
  if (!X.sparse()) return compressed(X.float64(), by.scale);
  return by.scale.empty() ? X : Points(scaled(X.sparse64(), by.scale));
}

MatrixView<const double> ScaledRows::dense(const Points& X, const ColumnScaling& by) {
  const MatrixView<double> out = numbers_.take(X.size(), X.dimension());
  if (X.sparse()) {
    const SparseRows<double>& rows = X.sparse64();
    fill_zero(out);
    for (Index i = 0; i < rows.rows; ++i) {
      for (Index e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) {
        require_column(rows.columns[e], rows.cols);
        out(i, rows.columns[e]) += rows.values[e];
      }
    }
  } else {
    copy_rows(X.float64(), out);
  }
  if (by.shift.empty() && by.scale.empty()) return out;
  for_rows(out.rows(), out.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < out.cols(); ++k) {
        const double x = by.shift.empty() ? out(i, k) : out(i, k) - by.shift[at(k)];
        out(i, k) = by.scale.empty() ? x : x / by.scale[at(k)];
      }
    }
  });
  return out;
}

SparseRows<double> ScaledRows::scaled(const SparseRows<double>& X, const std::vector<double>& scale) {
  const Index first = X.row_start[0];
  row_start_.assign(X.row_start, X.row_start + X.rows + 1);
  for (Index& start : row_start_) start -= first;
  values_.assign(X.values + first, X.values + X.row_start[X.rows]);
  for (std::size_t e = 0; e < values_.size(); ++e) {
    const Index column = X.columns[first + static_cast<Index>(e)];
    require_column(column, X.cols);
    values_[e] *= factor(scale, column);
  }
  return {X.rows, X.cols, row_start_.data(), X.columns + first, values_.data()};
}

SparseRows<double> ScaledRows::compressed(MatrixView<const double> X, const std::vector<double>& scale) {
  row_start_.assign(1, 0);
  columns_.clear();
  values_.clear();
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index k = 0; k < X.cols(); ++k) {
      if (X(i, k) == 0.0) continue;
      columns_.push_back(k);
      values_.push_back(X(i, k) * factor(scale, k));
    }
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
  return {X.rows(), X.cols(), row_start_.data(), columns_.data(), values_.data()};
}

}  // namespace gramian
