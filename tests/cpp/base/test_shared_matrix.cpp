// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/shared_matrix.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/check.hpp"
#include "support/message.hpp"

using namespace gramian;

TEST(copies_share_the_numbers_and_the_last_one_frees_them) {
  const auto numbers = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3, 4, 5, 6});
  const std::weak_ptr<std::vector<double>> watch = numbers;
  SharedMatrix last;
  {
    const SharedMatrix shared(MatrixView<const double>(numbers->data(), 2, 3), numbers);
    CHECK_EQ(shared.data(), numbers->data());
    CHECK_EQ(shared(1, 0), 4.0);
    last = shared;
  }
  CHECK_EQ(watch.use_count(), 2);
  CHECK_EQ(last.view()(1, 2), 6.0);
  last = SharedMatrix();
  CHECK_EQ(watch.use_count(), 1);
  CHECK(last.empty() && last.owner() == nullptr);
}

TEST(a_matrix_is_taken_over_and_a_view_is_copied) {
  Matrix numbers = Matrix::filled(2, 2, 3.0);
  const double* at = numbers.data();
  const SharedMatrix owned(std::move(numbers));
  CHECK_EQ(owned.data(), at);
  const SharedMatrix copy = SharedMatrix::copy_of(transposed(owned.view()));
  CHECK(copy.data() != at);
  CHECK_EQ(copy.rows(), 2);
  CHECK_EQ(copy(0, 1), 3.0);
}

TEST(shared_memory_is_row_major_without_gaps) {
  const auto numbers = std::make_shared<std::vector<double>>(12, 1.0);
  const double* data = numbers->data();
  for (const MatrixView<const double> view :
       {MatrixView<const double>(data, 3, 4, 1, 3), MatrixView<const double>(data, 3, 2, 4, 1),
        MatrixView<const double>(data, 1, 3, 6, 2)}) {
    const std::string message = check::message_of([&] { SharedMatrix(view, numbers); });
    CHECK(check::contains(message, "make a copy with SharedMatrix::copy_of()"));
    CHECK_EQ(SharedMatrix::copy_of(view).view()(view.rows() - 1, view.cols() - 1), 1.0);
  }
  const SharedMatrix one_row(MatrixView<const double>(data, 1, 4, 100, 1), numbers);
  CHECK_EQ(one_row.view().row_stride(), 4);
  const SharedMatrix one_column(MatrixView<const double>(data, 4, 1, 1, 7), numbers);
  CHECK_EQ(one_column.view().col_stride(), 1);
  CHECK(SharedMatrix(MatrixView<const double>(data, 0, 4, 9, 2), numbers).empty());
}

TEST_MAIN
