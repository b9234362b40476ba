// SPDX-License-Identifier: BSD-3-Clause
// A walk through JSON text by RFC 8259 that keeps nothing: who asks for a value says which kind it must be.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "gramian/base/index.hpp"

namespace gramian::io {

/// Each function throws ModelFileError, with the byte, for text that is not what it asks for. `what` begins the messages,
/// `first_byte` is where the text begins in what they speak of.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text, std::string what = "JSON", std::size_t first_byte = 0)
      : text_(text), what_(std::move(what)), first_byte_(first_byte) {}

  /// The first character of the next value or mark, '\0' at the end.
  char next();
  /// Whether the next character is this one, which is left behind then.
  bool take(char mark);
  void expect(char mark);
  /// Nothing but white space follows.
  void end();

  std::string string();  ///< UTF-8, unescaped
  double number();
  Index integer();  ///< not negative, digits only, less than 2^63
  bool boolean();
  void null();

  /// Calls member(name) for each name of an object, which must read the value.
  template <class F>
  void members(F&& member) {
    expect('{');
    if (take('}')) return;
    do {
      if (next() != '"') fail("a name in quotes is missing");
      std::string name = string();
      expect(':');
      member(std::move(name));
    } while (take(','));
    expect('}');
  }

  /// Calls item() for each value of an array, which must read it.
  template <class F>
  void items(F&& item) {
    expect('[');
    if (take(']')) return;
    do {
      item();
    } while (take(','));
    expect(']');
  }

  [[noreturn]] void fail(const std::string& message) const;

 private:
  bool at_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
  void digits();
  std::size_t raw_length() const;  ///< of the string's text up to the closing quote
  void word(std::string_view word);
  void escape(std::string& out);
  unsigned code_unit();

  std::string_view text_;
  std::string what_;
  std::size_t first_byte_;
  std::size_t at_ = 0;
};

}  // namespace gramian::io
