// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/observer.hpp"

#include "support/check.hpp"

using namespace gramian;

TEST(a_limit_of_time_says_stop_once_it_is_over) {
  TimeLimit over(0.0), negative(-1.0), long_way(1e6), forever(1e300);
  CHECK(!over.observe({}, nullptr));
  CHECK(!negative.observe({}, nullptr));
  CHECK(long_way.observe({}, nullptr));
  CHECK(forever.observe({}, nullptr));
  CHECK(over.concurrent());
}

TEST_MAIN
