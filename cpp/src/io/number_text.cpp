// SPDX-License-Identifier: BSD-3-Clause
#include "io/number_text.hpp"

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gramian::io {
namespace {

constexpr double exact_integers = 9007199254740992.0;  // 2^53
constexpr int fewest_digits = 15, most_digits = 17;    // that a double may need

/// The text of a whole number that has no exponent in any of the two ways below; else nothing.
std::optional<std::string> whole_text(double value) {
  if (value == 0.0 && std::signbit(value)) return "-0.0";  // a reader that has integers would lose the sign
  if (!(std::abs(value) <= exact_integers) || std::trunc(value) != value) return std::nullopt;
  return std::to_string(static_cast<long long>(value));
}

std::string decimal_point() {
  const char* point = std::localeconv()->decimal_point;
  return point != nullptr && *point != '\0' ? point : ".";
}

}  // namespace

std::string number_text_by_c(double value) {
  if (auto text = whole_text(value)) return *text;
  char digits[64];
  for (int count = fewest_digits; count <= most_digits; ++count) {
    std::snprintf(digits, sizeof digits, "%.*g", count, value);
    if (count == most_digits || std::strtod(digits, nullptr) == value) break;
  }
  std::string text(digits);
  const std::string point = decimal_point();
  if (const auto at = text.find(point); at != std::string::npos) text.replace(at, point.size(), ".");
  return text;
}

std::optional<double> read_number_by_c(std::string_view text) {
  std::string digits(text);
  if (const auto at = digits.find('.'); at != std::string::npos) digits.replace(at, 1, decimal_point());
  const double value = std::strtod(digits.c_str(), nullptr);
  const bool nothing = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
  if (!std::isfinite(value) || (value == 0.0 && !nothing)) return std::nullopt;
  return value;
}

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L

std::string number_text(double value) {
  if (auto text = whole_text(value)) return *text;
  char digits[64];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::optional<double> read_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

#else

std::string number_text(double value) { return number_text_by_c(value); }
std::optional<double> read_number(std::string_view text) { return read_number_by_c(text); }

#endif

}  // namespace gramian::io
