// SPDX-License-Identifier: BSD-3-Clause
#include "io/utf8.hpp"

#include <algorithm>

namespace gramian::io {
namespace {

constexpr std::size_t most_quoted = 60;

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// What the first byte says of the length, and the smallest second byte and the largest one that may follow it.
struct Lead {
  std::size_t length;
  unsigned lower, upper;
};

Lead lead_of(unsigned first) {
  if (first < 0x80) return {1, 0, 0};
  if (first >= 0xC2 && first <= 0xDF) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};  // surrogates are above
  if (first >= 0xE1 && first <= 0xEF) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first >= 0xF1 && first <= 0xF3) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const Lead lead = lead_of(byte(text, at));
  if (lead.length < 2) return lead.length;
  if (text.size() - at < lead.length) return 0;
  if (byte(text, at + 1) < lead.lower || byte(text, at + 1) > lead.upper) return 0;
  for (std::size_t k = 2; k < lead.length; ++k) {
    if ((byte(text, at + k) & 0xC0u) != 0x80u) return 0;
  }
  return lead.length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_utf8(std::string& text, unsigned code_point) {
  const auto put = [&text](unsigned value) { text.push_back(static_cast<char>(static_cast<unsigned char>(value))); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0u | (code_point >> 6));
  } else {
    if (code_point < 0x10000) {
      put(0xE0u | (code_point >> 12));
    } else {
      put(0xF0u | (code_point >> 18));
      put(0x80u | ((code_point >> 12) & 0x3Fu));
    }
    put(0x80u | ((code_point >> 6) & 0x3Fu));
  }
  put(0x80u | (code_point & 0x3Fu));
}

std::string quoted(std::string_view name) {
  const bool whole = name.size() <= most_quoted;
  std::string result(whole ? name : name.substr(0, most_quoted));
  std::replace_if(result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + result + (whole ? "'" : "...'");
}

}  // namespace gramian::io
