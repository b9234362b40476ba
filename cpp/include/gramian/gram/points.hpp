// SPDX-License-Identifier: BSD-3-Clause
// Points that kernels are evaluated on. All of these are views: the caller's memory must outlive them.
#pragma once

#include <optional>

#include "gramian/base/view.hpp"

namespace gramian {

/// The type of the numbers of points.
enum class Scalar { float64, float32 };

/// Points as a sparse matrix in compressed rows: row i has the entries row_start[i] .. row_start[i + 1] - 1.
template <class T>
struct SparseRows {
  Index rows = 0;
  Index cols = 0;
  const Index* row_start = nullptr;  ///< rows + 1 numbers
  const Index* columns = nullptr;
  const T* values = nullptr;
};

/// A set of points, one a row. float32 points give float32 results.
class Points {
 public:
  Points(MatrixView<const double> rows) : scalar_(Scalar::float64), float64_(rows) {}
  Points(MatrixView<double> rows) : Points(MatrixView<const double>(rows)) {}
  Points(MatrixView<const float> rows) : scalar_(Scalar::float32), float32_(rows) {}
  Points(MatrixView<float> rows) : Points(MatrixView<const float>(rows)) {}
  Points(const SparseRows<double>& rows) : scalar_(Scalar::float64), sparse_(true), sparse64_(rows) {}
  Points(const SparseRows<float>& rows) : scalar_(Scalar::float32), sparse_(true), sparse32_(rows) {}

  Scalar scalar() const { return scalar_; }
  bool sparse() const { return sparse_; }
  Index size() const {
    if (sparse_) return scalar_ == Scalar::float64 ? sparse64_.rows : sparse32_.rows;
    return scalar_ == Scalar::float64 ? float64_.rows() : float32_.rows();
  }
  Index dimension() const {
    if (sparse_) return scalar_ == Scalar::float64 ? sparse64_.cols : sparse32_.cols;
    return scalar_ == Scalar::float64 ? float64_.cols() : float32_.cols();
  }

  /// Empty unless the points are of this kind.
  MatrixView<const double> float64() const { return float64_; }
  MatrixView<const float> float32() const { return float32_; }
  const SparseRows<double>& sparse64() const { return sparse64_; }
  const SparseRows<float>& sparse32() const { return sparse32_; }

 private:
  Scalar scalar_;
  bool sparse_ = false;
  MatrixView<const double> float64_;
  MatrixView<const float> float32_;
  SparseRows<double> sparse64_;
  SparseRows<float> sparse32_;
};

/// Points that are given by their inner products only, in any space: a kernel on top of a precomputed Gram matrix.
template <class T>
class InnerProducts {
 public:
  /// One set: inner(i, j) = <x_i, x_j>, symmetric; the squared norms are its diagonal.
  explicit InnerProducts(MatrixView<const T> inner) : inner_(inner) {}

  /// Two sets: inner(i, j) = <x_i, y_j>, with |x_i|^2 and |y_j|^2 as columns of one number each.
  InnerProducts(MatrixView<const T> inner, MatrixView<const T> x_squares, MatrixView<const T> y_squares)
      : inner_(inner), squares_({x_squares, y_squares}) {}

  bool one_set() const { return !squares_.has_value(); }
  MatrixView<const T> inner() const { return inner_; }
  /// Empty for one set.
  MatrixView<const T> x_squares() const { return one_set() ? MatrixView<const T>() : squares_->x; }
  MatrixView<const T> y_squares() const { return one_set() ? MatrixView<const T>() : squares_->y; }
  T x_square(Index i) const { return one_set() ? inner_(i, i) : squares_->x(i, 0); }
  T y_square(Index j) const { return one_set() ? inner_(j, j) : squares_->y(j, 0); }

 private:
  struct Squares {
    MatrixView<const T> x;
    MatrixView<const T> y;
  };
  MatrixView<const T> inner_;
  std::optional<Squares> squares_;
};

}  // namespace gramian
