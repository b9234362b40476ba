// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/view.hpp"

#include <type_traits>
#include <vector>

#include "support/check.hpp"

using gramian::Index;
using gramian::MatrixView;

TEST(a_default_view_is_empty) {
  const MatrixView<double> view;
  CHECK_EQ(view.rows(), 0);
  CHECK_EQ(view.cols(), 0);
  CHECK(view.empty());
  CHECK(view.data() == nullptr);
}

TEST(no_rows_or_no_columns_is_empty) {
  double value = 0.0;
  CHECK(MatrixView<double>(&value, 0, 3).empty());
  CHECK(MatrixView<double>(&value, 3, 0).empty());
  CHECK(!MatrixView<double>(&value, 1, 1).empty());
}

TEST(row_major_is_the_default) {
  std::vector<int> data = {0, 1, 2, 3, 4, 5};
  const MatrixView<int> view(data.data(), 2, 3);
  CHECK_EQ(view.row_stride(), 3);
  CHECK_EQ(view.col_stride(), 1);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) CHECK_EQ(view(i, j), 3 * i + j);
  }
}

TEST(strides_may_transpose_skip_and_go_backwards) {
  std::vector<int> data(12);
  for (int k = 0; k < 12; ++k) data[static_cast<std::size_t>(k)] = k;
  const MatrixView<int> transposed(data.data(), 3, 2, 1, 3);
  CHECK_EQ(transposed(2, 1), 5);
  const MatrixView<int> skipping(data.data(), 2, 2, 6, 2);
  CHECK_EQ(skipping(1, 1), 8);
  const MatrixView<int> backwards(data.data() + 11, 3, 4, -4, -1);
  CHECK_EQ(backwards(0, 0), 11);
  CHECK_EQ(backwards(2, 3), 0);
  const MatrixView<int> repeated(data.data() + 4, 5, 3, 0, 1);
  CHECK_EQ(repeated(4, 2), 6);
}

TEST(writing_goes_to_the_owner) {
  std::vector<double> data(6, 0.0);
  const MatrixView<double> view(data.data(), 2, 3);
  view(1, 2) = 7.0;
  CHECK_EQ(data[5], 7.0);
}

TEST(a_view_that_writes_becomes_one_that_reads_and_not_the_reverse) {
  std::vector<double> data = {1.0, 2.0, 3.0, 4.0};
  const MatrixView<double> writes(data.data(), 2, 2, 1, 2);
  const MatrixView<const double> reads = writes;
  CHECK_EQ(reads(0, 1), 3.0);
  CHECK_EQ(reads.row_stride(), 1);
  CHECK((!std::is_convertible_v<MatrixView<const double>, MatrixView<double>>));
  CHECK((!std::is_convertible_v<MatrixView<float>, MatrixView<const double>>));
}

TEST(offsets_are_64_bit) {
  // Address arithmetic alone: entry (50 000, 50 000) of a square of that width lies beyond what 32 bits count.
  const Index n = 50001;
  static char base;
  const MatrixView<char> view(&base, n, n);
  CHECK_EQ((n - 1) * view.row_stride() + (n - 1) * view.col_stride(), n * n - 1);
  CHECK((std::is_same_v<decltype(view.row_stride()), std::int64_t>));
}

TEST_MAIN
