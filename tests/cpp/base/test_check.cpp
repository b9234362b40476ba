// SPDX-License-Identifier: BSD-3-Clause
#include "base/check.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/finite.hpp"
#include "gramian/base/matrix.hpp"
#include "support/check.hpp"
#include "support/message.hpp"

using namespace gramian;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

using check::message_of;

}  // namespace

TEST(shapes_are_said) {
  const Matrix A = Matrix::filled(2, 3, 0.0);
  CHECK_EQ(message_of([&] { require_shape(A.view(), 2, 3, "A"); }), std::string());
  CHECK_EQ(message_of([&] { require_shape(A.view(), 3, 2, "A"); }), std::string("A is 2 x 3, it must be 3 x 2"));
  CHECK_EQ(message_of([&] { require_shape_or_empty(MatrixView<const double>(), 3, 2, "A"); }), std::string());
  CHECK_EQ(message_of([&] { require_shape_or_empty(A.view(), 3, 2, "A"); }), std::string("A is 2 x 3, it must be 3 x 2"));
  CHECK_EQ(message_of([&] { require_square(A.view(), "A"); }), std::string("A is 2 x 3, it must be square"));
  CHECK_EQ(message_of([&] { require_rows(2, 3, 2, "A"); }), std::string());
  CHECK_EQ(message_of([&] { require_rows(2, 3, 5, "A"); }), std::string("A is 2 x 3, it must have 5 rows"));
}

TEST(numbers_are_in_their_range) {
  for (const double wrong : {0.0, -1.0, no_number, infinity}) CHECK_THROWS(std::invalid_argument, require_positive(wrong, "x"));
  for (const double wrong : {-1e-300, no_number, infinity}) CHECK_THROWS(std::invalid_argument, require_not_negative(wrong, "x"));
  require_positive(1e-300, "x");
  require_not_negative(0.0, "x");
}

TEST(an_entry_that_is_not_finite_is_found_wherever_it_is) {
  for (const double wrong : {no_number, infinity, -infinity}) {
    for (Index at = 0; at < 400 * 7; at += 131) {
      Matrix A = Matrix::filled(400, 7, 1e300);
      require_finite(A.view(), "A");
      A.data()[at] = wrong;
      CHECK_THROWS(std::invalid_argument, require_finite(A.view(), "A"));
      CHECK_THROWS(std::invalid_argument, require_finite(transposed(A.view()), "A"));
      CHECK(all_finite({A.data(), 400, 4, 7, 1}) != all_finite({A.data() + 4, 400, 3, 7, 1}));
    }
  }
}

TEST(rows_are_ascending_and_there) {
  require_ascending({}, 0, "rows");
  require_ascending({0, 2, 4}, 5, "rows");
  for (const std::vector<Index>& wrong : {std::vector<Index>{-1}, {5}, {2, 1}, {2, 2}}) {
    CHECK_THROWS(std::invalid_argument, require_ascending(wrong, 5, "rows"));
  }
}

TEST_MAIN
