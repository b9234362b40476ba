// SPDX-License-Identifier: BSD-3-Clause
#include "base/view_ops.hpp"

#include "support/check.hpp"

using namespace gramian;

namespace {

Matrix counted(Index rows, Index cols) {
  Matrix A(rows, cols);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = static_cast<double>(i);
  return A;
}

}  // namespace

TEST(parts_are_seen_where_they_are) {
  Matrix A = counted(5, 4);
  const MatrixView<double> block = part(A.view(), 1, 2, 2, 2), turned = part(transposed(A.view()), 2, 2, 1, 2);
  CHECK_EQ(block(1, 1), A(2, 3));
  CHECK_EQ(turned(1, 0), A(1, 3));
  CHECK_EQ(rows_of(A.view(), 3, 2).data(), &A(3, 0));
  CHECK_EQ(round_up(9, 8), 16);
  CHECK_EQ(round_up(16, 8), 16);
}

TEST(picked_entries_are_those_that_were_asked_for) {
  for (const Index n : {6, 6000}) {  // in one piece, and in several
    const Matrix A = counted(n, 5);
    std::vector<Index> rows;
    for (Index i = n - 1; i >= 0; i -= 2) rows.push_back(i);
    const Matrix some = picked(A.view(), rows), fewer = picked(A.view(), rows, {4, 0});
    for (Index i = 0; i < some.rows(); ++i) {
      for (Index j = 0; j < 5; ++j) CHECK_EQ(some(i, j), A(rows[at(i)], j));
      CHECK(fewer(i, 0) == A(rows[at(i)], 4) && fewer(i, 1) == A(rows[at(i)], 0));
    }
    CHECK(picked(rows, {1, 0}) == std::vector<Index>({rows[1], rows[0]}));
  }
}

TEST(loops_over_entries_meet_each_once) {
  for (const Index n : {3, 7000}) {
    Matrix A = counted(n, 4), B(n, 4);
    copy_rows(A.view(), B.view());
    add_rows(A.view(), B.view());
    for (Index i = 0; i < A.size(); ++i) CHECK_EQ(B.data()[i], 2.0 * A.data()[i]);
    fill_zero(B.view());
    for (Index i = 0; i < A.size(); ++i) CHECK_EQ(B.data()[i], 0.0);
  }
}

TEST_MAIN
