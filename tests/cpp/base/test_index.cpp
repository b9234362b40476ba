// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/index.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "support/check.hpp"

using gramian::checked_product;
using gramian::Index;

namespace {
constexpr Index largest = std::numeric_limits<Index>::max();
}

TEST(products_that_fit) {
  CHECK_EQ(checked_product(0, 0), 0);
  CHECK_EQ(checked_product(0, largest), 0);
  CHECK_EQ(checked_product(largest, 0), 0);
  CHECK_EQ(checked_product(1, largest), largest);
  CHECK_EQ(checked_product(largest, 1), largest);
  CHECK_EQ(checked_product(46341, 46341), Index{2147488281});  // the first square that 32 bits do not hold
  CHECK_EQ(checked_product(Index{1} << 31, Index{1} << 31), Index{1} << 62);
}

TEST(the_last_product_that_fits_and_the_next) {
  CHECK_EQ(checked_product(largest / 7, 7), largest / 7 * 7);
  CHECK_THROWS(std::length_error, checked_product(largest / 7 + 1, 7));
  CHECK_EQ(checked_product(3037000499, 3037000499), Index{9223372030926249001});
  CHECK_THROWS(std::length_error, checked_product(3037000500, 3037000500));
  CHECK_THROWS(std::length_error, checked_product(largest, largest));
}

TEST(negative_sizes_are_refused) {
  CHECK_THROWS(std::invalid_argument, checked_product(-1, 5));
  CHECK_THROWS(std::invalid_argument, checked_product(5, -1));
  CHECK_THROWS(std::invalid_argument, checked_product(-1, -1));
  CHECK_THROWS(std::invalid_argument, checked_product(0, std::numeric_limits<Index>::min()));
}

TEST(the_message_has_both_sizes) {
  try {
    checked_product(largest, 2);
    CHECK(false);
  } catch (const std::length_error& error) {
    CHECK(std::string(error.what()).find("9223372036854775807 x 2") != std::string::npos);
  }
}

TEST_MAIN
