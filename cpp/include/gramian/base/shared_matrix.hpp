// SPDX-License-Identifier: BSD-3-Clause
// A matrix that nobody changes any more: models own their arrays in this form.
#pragma once

#include <memory>

#include "gramian/base/matrix.hpp"

namespace gramian {

/// rows x cols numbers, row-major and immutable. Copies share the numbers, and the last copy frees them: copying costs O(1) and
/// any number of threads may read.
class GRAMIAN_API SharedMatrix {
 public:
  SharedMatrix() = default;
  /// Takes the numbers over.
  explicit SharedMatrix(Matrix&& numbers);
  /// Shares the memory of somebody else, such as a NumPy array or a mapped file: `owner` keeps it alive, and nobody may change it
  /// from now on. Throws std::invalid_argument unless the view is row-major without gaps.
  SharedMatrix(MatrixView<const double> numbers, std::shared_ptr<const void> owner);
  /// A copy of numbers with any strides.
  static SharedMatrix copy_of(MatrixView<const double> numbers);

  Index rows() const { return view_.rows(); }
  Index cols() const { return view_.cols(); }
  bool empty() const { return view_.empty(); }
  const double* data() const { return view_.data(); }
  double operator()(Index i, Index j) const { return view_(i, j); }
  MatrixView<const double> view() const { return view_; }
  /// What keeps the numbers alive. Null for a matrix without numbers.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  MatrixView<const double> view_;
};

}  // namespace gramian
