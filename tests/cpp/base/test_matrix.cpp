// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/matrix.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "support/check.hpp"

using namespace gramian;

namespace {

/// 0 1 2 / 10 11 12
Matrix counted() {
  Matrix A(2, 3);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) A(i, j) = static_cast<double>(10 * i + j);
  }
  return A;
}

}  // namespace

TEST(numbers_are_row_major_and_aligned) {
  Matrix A = counted();
  CHECK_EQ(A.rows(), 2);
  CHECK_EQ(A.cols(), 3);
  CHECK_EQ(A.size(), 6);
  CHECK_EQ(A.data()[3], 10.0);
  CHECK_EQ(A.view()(1, 2), 12.0);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(A.data()) % 64, 0u);
  A.view()(0, 1) = 7.0;
  CHECK_EQ(std::as_const(A)(0, 1), 7.0);
  CHECK_EQ(std::as_const(A).view().data(), A.data());
}

TEST(copies_are_made_by_name_and_hold_numbers_of_their_own) {
  CHECK(!std::is_copy_constructible_v<Matrix> && !std::is_copy_assignable_v<Matrix>);
  Matrix A = counted(), B = A.clone();
  A(1, 1) = -1.0;
  CHECK_EQ(B(1, 1), 11.0);
  const MatrixView<const double> turned(B.data(), 3, 2, 1, 3);
  const Matrix C = Matrix::copy_of(turned);
  CHECK_EQ(C.rows(), 3);
  CHECK_EQ(C(2, 1), 12.0);
}

TEST(filled_matrices_have_one_value) {
  const Matrix A = Matrix::filled(3, 2, 0.5);
  for (Index i = 0; i < A.size(); ++i) CHECK_EQ(A.data()[i], 0.5);
}

TEST(what_was_moved_from_is_empty) {
  CHECK(std::is_nothrow_move_constructible_v<Matrix> && std::is_nothrow_move_assignable_v<Matrix>);
  Matrix A = counted();
  const double* numbers = A.data();
  Matrix B = std::move(A);
  CHECK_EQ(B.data(), numbers);
  CHECK(A.empty() && A.rows() == 0 && A.cols() == 0);
  A = std::move(B);
  CHECK_EQ(A.data(), numbers);
  CHECK_EQ(A(1, 2), 12.0);
  CHECK(B.empty());
}

TEST(empty_matrices_are_matrices) {
  CHECK(Matrix().empty());
  const Matrix wide(0, 4), tall = Matrix::filled(4, 0, 1.0);
  CHECK(wide.empty() && wide.cols() == 4);
  CHECK(tall.empty() && tall.clone().rows() == 4);
}

TEST(impossible_sizes_are_refused) {
  CHECK_THROWS(std::invalid_argument, Matrix(-1, 2));
  CHECK_THROWS(std::length_error, Matrix(Index(1) << 40, Index(1) << 40));
}

TEST_MAIN
