// SPDX-License-Identifier: BSD-3-Clause
// A matrix that owns its numbers, as results do.
#pragma once

#include <algorithm>
#include <utility>

#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// rows x cols numbers, row-major. Moved freely, copied only by name; what was moved from is empty.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)), cols_(std::exchange(other.cols_, 0)), numbers_(std::move(other.numbers_)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    numbers_ = std::move(other.numbers_);
    return *this;
  }
  /// Uninitialised. Throws std::invalid_argument for a negative size.
  Matrix(Index rows, Index cols) : rows_(rows), cols_(cols), numbers_(checked_product(rows, cols)) {}

  static Matrix filled(Index rows, Index cols, double value) {
    Matrix result(rows, cols);
    std::fill_n(result.data(), rows * cols, value);
    return result;
  }
  static Matrix copy_of(MatrixView<const double> source) {
    Matrix result(source.rows(), source.cols());
    for (Index i = 0; i < source.rows(); ++i) {
      for (Index j = 0; j < source.cols(); ++j) result(i, j) = source(i, j);
    }
    return result;
  }
  Matrix clone() const { return copy_of(view()); }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  bool empty() const { return size() == 0; }
  double* data() { return numbers_.data(); }
  const double* data() const { return numbers_.data(); }
  double& operator()(Index i, Index j) { return numbers_[i * cols_ + j]; }
  double operator()(Index i, Index j) const { return numbers_[i * cols_ + j]; }
  MatrixView<double> view() { return {data(), rows_, cols_}; }
  MatrixView<const double> view() const { return {data(), rows_, cols_}; }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Buffer<double> numbers_;
};

}  // namespace gramian
