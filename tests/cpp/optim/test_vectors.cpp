// SPDX-License-Identifier: BSD-3-Clause
// Long vectors against plain loops, at the edges of blocks, and with any number of threads.
#include "optim/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/optim/result.hpp"
#include "support/check.hpp"

using namespace gramian::optim_detail;
using gramian::Index;

namespace {

constexpr Index block = 1 << 14;
const Index sizes[] = {0, 1, 7, 8, 9, 1000, block - 1, block, block + 1, 3 * block, 70 * block + 5};

Numbers normal(Index n, std::uint64_t seed) {
  Numbers out(static_cast<std::size_t>(n));
  gramian::RandomStream(seed).fill_normal({out.data(), n, 1});
  return out;
}

}  // namespace

TEST(each_operation_is_the_plain_loop) {
  for (const Index n : sizes) {
    const Numbers a = normal(n, 1), b = normal(n, 2);
    Numbers out = b, expected = b;
    long double sum = 0, magnitude = 0;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += static_cast<long double>(a[i]) * b[i];
      magnitude += std::fabs(static_cast<long double>(a[i]) * b[i]);
      largest = std::max(largest, std::fabs(a[i]));
    }
    CHECK_NEAR(dot(a.data(), b.data(), n), sum, magnitude * 0x1p-53 * static_cast<double>(n));
    CHECK_EQ(largest_magnitude(a.data(), n), largest);

    const auto same = [&](auto change) {
      for (std::size_t i = 0; i < a.size(); ++i) expected[i] = change(i);
      return out == expected;
    };
    const Numbers before = out;
    step_along(a.data(), 0.5, b.data(), out.data(), n);
    CHECK(same([&](std::size_t i) { return a[i] + 0.5 * b[i]; }));
    difference(a.data(), b.data(), out.data(), n);
    CHECK(same([&](std::size_t i) { return a[i] - b[i]; }));
    multiply(-2.0, out.data(), n);
    CHECK(same([&](std::size_t i) { return -2.0 * expected[i]; }));
    add_multiple(4.0, b.data(), out.data(), n);
    CHECK(same([&](std::size_t i) { return expected[i] + 4.0 * b[i]; }));
  }
}

TEST(sums_have_the_same_bits_for_any_number_of_threads) {
  const Index n = 70 * block + 5;
  const Numbers a = normal(n, 1), b = normal(n, 2);
  gramian::set_num_threads(1);
  const double one = dot(a.data(), b.data(), n);
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    CHECK_EQ(dot(a.data(), b.data(), n), one);
  }
  gramian::set_num_threads(0);
}

TEST(nan_is_the_largest_magnitude_wherever_it_is) {
  for (const Index n : {Index(1), Index(9), 3 * block}) {
    for (const Index place : {Index(0), n / 2, n - 1}) {
      Numbers a = normal(n, 3);
      a[static_cast<std::size_t>(place)] = std::numeric_limits<double>::quiet_NaN();
      CHECK(std::isnan(largest_magnitude(a.data(), n)));
      a[static_cast<std::size_t>(place)] = -HUGE_VAL;
      CHECK_EQ(largest_magnitude(a.data(), n), HUGE_VAL);
    }
  }
}

TEST_MAIN
