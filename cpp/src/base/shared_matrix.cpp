// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/shared_matrix.hpp"

#include <utility>

#include "gramian/base/error.hpp"

namespace gramian {

SharedMatrix::SharedMatrix(Matrix&& numbers) {
  const auto owned = std::make_shared<const Matrix>(std::move(numbers));
  view_ = owned->view();
  owner_ = owned;
}

SharedMatrix::SharedMatrix(MatrixView<const double> numbers, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), view_(numbers) {
  const bool rows_follow = numbers.rows() < 2 || numbers.row_stride() == numbers.cols();
  const bool numbers_follow = numbers.cols() < 2 || numbers.col_stride() == 1;
  require(numbers.empty() || (rows_follow && numbers_follow),
          "a shared matrix must be row-major without gaps: make a copy with SharedMatrix::copy_of()");
  // A single row or column may have been given with any stride.
  view_ = {numbers.data(), numbers.rows(), numbers.cols()};
}

SharedMatrix SharedMatrix::copy_of(MatrixView<const double> numbers) { return SharedMatrix(Matrix::copy_of(numbers)); }

}  // namespace gramian
