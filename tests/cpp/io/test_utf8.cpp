// SPDX-License-Identifier: BSD-3-Clause
#include "io/utf8.hpp"

#include <string>

#include "support/check.hpp"

using namespace gramian::io;

TEST(every_character_has_one_form) {
  for (unsigned point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    if (utf8_length(text, 0) != text.size() || !is_utf8(text)) CHECK_EQ(point, 0u);
  }
}

TEST(surrogates_are_no_characters) {
  for (unsigned point = 0xD800; point <= 0xDFFF; ++point) {
    std::string text;
    append_utf8(text, point);
    CHECK(!is_utf8(text));
  }
}

TEST(pairs_of_bytes_by_a_naive_rule) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      const bool ascii = a < 0x80 && b < 0x80, two = a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF;
      if (is_utf8(text) != (ascii || two)) CHECK_EQ(a, b + 1000);
    }
  }
}

TEST(what_is_not_utf8) {
  for (const char* text : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF", "\xF0\x80\x80\xAF", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98", "a\xE2(\xA1", "\xE2\x82("})
    CHECK(!is_utf8(text));
  for (const char* text : {"", "a", "\xC2\x80", "\xE0\xA0\x80", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) CHECK(is_utf8(text));
}

TEST(names_in_messages_are_short_and_printable) {
  CHECK_EQ(quoted("a b"), "'a b'");
  CHECK_EQ(quoted("a\n\xFF\x7F"), "'a\?\?\?'");
  CHECK_EQ(quoted(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST_MAIN
