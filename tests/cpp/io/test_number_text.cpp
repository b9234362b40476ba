// SPDX-License-Identifier: BSD-3-Clause
#include "io/number_text.hpp"

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "gramian/base/random.hpp"
#include "support/check.hpp"

using namespace gramian::io;

namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double double_of(std::uint64_t bits) {
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Both ways write text that both ways read to the same bits.
void check_round_trip(double value) {
  for (const std::string& text : {number_text(value), number_text_by_c(value)}) {
    for (const auto& read : {read_number(text), read_number_by_c(text)}) {
      if (!read || bits_of(*read) != bits_of(value)) CHECK_EQ(text, "the bits of " + std::to_string(bits_of(value)));
    }
  }
}

}  // namespace

TEST(numbers_come_back_to_the_bit) {
  const gramian::RandomStream random(7);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double value = double_of(random.bits(i));
    if (std::isfinite(value)) check_round_trip(value);
    check_round_trip(random.normal(i));
    check_round_trip(double_of(random.bits(i) >> 12));  // subnormal
  }
}

TEST(numbers_at_the_ends_of_ranges) {
  using limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, 0.1, 1.0 / 3.0, 1e22, 1e23, limits::min(), limits::denorm_min(), limits::max(), limits::epsilon(),
        9007199254740991.0, 9007199254740992.0, 9007199254740994.0, 5e-324, 2.2250738585072011e-308}) {
    check_round_trip(value);
    check_round_trip(-value);
  }
}

TEST(texts_are_short) {
  CHECK_EQ(number_text(0.1), "0.1");
  CHECK_EQ(number_text(1.0), "1");
  CHECK_EQ(number_text(-3.0), "-3");
  CHECK_EQ(number_text(9007199254740992.0), "9007199254740992");
  CHECK_EQ(number_text(-0.0), "-0.0");
  CHECK_EQ(number_text_by_c(0.1), "0.1");
  CHECK_EQ(number_text_by_c(-0.0), "-0.0");
}

TEST(what_is_out_of_range_has_no_value) {
  for (const char* text : {"1e309", "-1e309", "1e-400", "2e-324", "1e999999999999"}) {
    CHECK(!read_number(text));
    CHECK(!read_number_by_c(text));
  }
  for (const char* text : {"0e999", "0.0e-999", "-0.0"}) {
    CHECK_EQ(read_number(text).value_or(1.0), 0.0);
    CHECK_EQ(read_number_by_c(text).value_or(1.0), 0.0);
  }
}

TEST(the_locale_does_not_matter) {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // not every machine has them; "C" is on each
    check_round_trip(-1234.5678);
    CHECK_EQ(number_text_by_c(0.25), "0.25");
  }
  std::setlocale(LC_NUMERIC, "C");
}

TEST_MAIN
