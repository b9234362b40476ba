// SPDX-License-Identifier: BSD-3-Clause
// Views of memory that the caller owns. Arrays cross the library's boundary in no other form.
#pragma once

#include <type_traits>

#include "gramian/base/index.hpp"

namespace gramian {

/// rows x cols numbers, samples in rows; entry (i, j) is data[i * row_stride + j * col_stride], strides in elements.
/// Any strides are allowed; row-major with col_stride == 1 is the fast case.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, Index rows, Index cols) : MatrixView(data, rows, cols, cols, 1) {}
  MatrixView(T* data, Index rows, Index cols, Index row_stride, Index col_stride)
      : data_(data), rows_(rows), cols_(cols), row_stride_(row_stride), col_stride_(col_stride) {}

  /// A view that may write is a view that may read.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  MatrixView(const MatrixView<U>& other)
      : MatrixView(other.data(), other.rows(), other.cols(), other.row_stride(), other.col_stride()) {}

  T* data() const { return data_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index row_stride() const { return row_stride_; }
  Index col_stride() const { return col_stride_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }

  T& operator()(Index i, Index j) const { return data_[i * row_stride_ + j * col_stride_]; }

 private:
  T* data_ = nullptr;
  Index rows_ = 0;
  Index cols_ = 0;
  Index row_stride_ = 0;
  Index col_stride_ = 1;
};

/// Aᵀ in the memory of A.
template <class T>
MatrixView<T> transposed(MatrixView<T> A) {
  return {A.data(), A.cols(), A.rows(), A.col_stride(), A.row_stride()};
}

}  // namespace gramian
