// SPDX-License-Identifier: BSD-3-Clause
#include "io/json_cursor.hpp"

#include <limits>

#include "gramian/base/error.hpp"
#include "io/number_text.hpp"
#include "io/utf8.hpp"

namespace gramian::io {

void JsonCursor::fail(const std::string& message) const {
  throw ModelFileError(what_ + ", byte " + std::to_string(first_byte_ + at_) + ": " + message);
}

char JsonCursor::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonCursor::take(char mark) {
  if (next() != mark || at_ == text_.size()) return false;
  ++at_;
  return true;
}

void JsonCursor::expect(char mark) {
  if (!take(mark)) fail(std::string("'") + mark + "' is missing");
}

void JsonCursor::end() {
  next();
  if (at_ != text_.size()) fail("text follows the end of the value");
}

std::string JsonCursor::string() {
  if (next() != '"') fail("a string is missing");
  ++at_;
  std::string out;
  out.reserve(raw_length());   // one that grows would take twice the memory of a long text
  while (text_[at_] != '"') {  // raw_length() has seen it
    const auto first = static_cast<unsigned char>(text_[at_]);
    if (first < 0x20) fail("a control character in a string is not escaped");
    if (first == '\\') {
      escape(out);
      continue;
    }
    const std::size_t length = utf8_length(text_, at_);
    if (length == 0) fail("a string is not UTF-8");
    out.append(text_, at_, length);
    at_ += length;
  }
  ++at_;
  return out;
}

std::size_t JsonCursor::raw_length() const {
  std::size_t end = at_;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) fail("a string does not end");
  return end - at_;
}

void JsonCursor::escape(std::string& out) {
  static constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
  ++at_;
  if (const auto known = names.find(text_[at_]); known != std::string_view::npos) {
    out.push_back(values[known]);
    ++at_;
    return;
  }
  if (text_[at_] != 'u') fail("an escape in a string is unknown");
  ++at_;
  unsigned point = code_unit();
  if (point >= 0xDC00 && point <= 0xDFFF) fail("half of a surrogate pair stands alone");
  if (point >= 0xD800 && point <= 0xDBFF) {
    if (text_.substr(at_, 2) != "\\u") fail("half of a surrogate pair stands alone");
    at_ += 2;
    const unsigned low = code_unit();
    if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair stands alone");
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(out, point);
}

unsigned JsonCursor::code_unit() {
  unsigned value = 0;
  for (int digit = 0; digit < 4; ++digit, ++at_) {
    static constexpr std::string_view small = "0123456789abcdef", large = "0123456789ABCDEF";
    auto place = small.find(text_[at_]);
    if (place == std::string_view::npos) place = large.find(text_[at_]);
    if (place == std::string_view::npos) fail("an escape \\u needs four hexadecimal digits");
    value = 16 * value + static_cast<unsigned>(place);
  }
  return value;
}

void JsonCursor::digits() {
  if (!at_digit()) fail("a digit is missing");
  while (at_digit()) ++at_;
}

double JsonCursor::number() {
  next();
  const std::size_t first = at_;
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  const bool zero = at_digit() && text_[at_] == '0';
  if (zero) ++at_;
  if (zero && at_digit()) fail("a number begins with 0");
  if (!zero) digits();
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    digits();
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    digits();
  }
  const auto value = read_number(text_.substr(first, at_ - first));
  if (!value) fail("a number is beyond the range of float64");
  return *value;
}

Index JsonCursor::integer() {
  next();
  const std::size_t first = at_;
  if (!at_digit()) fail("a number that is whole and not negative is missing");
  Index value = 0;
  for (; at_digit(); ++at_) {
    const Index digit = text_[at_] - '0';
    if (value > (std::numeric_limits<Index>::max() - digit) / 10) fail("a number is 2^63 or more");
    value = 10 * value + digit;
  }
  if (text_[first] == '0' && at_ - first > 1) fail("a number begins with 0");
  if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E')) fail("a number must be whole");
  return value;
}

void JsonCursor::word(std::string_view word) {
  next();
  if (text_.substr(at_, word.size()) != word) fail("a value is missing");
  at_ += word.size();
}

bool JsonCursor::boolean() {
  const bool value = next() == 't';
  word(value ? "true" : "false");
  return value;
}

void JsonCursor::null() { word("null"); }

}  // namespace gramian::io
