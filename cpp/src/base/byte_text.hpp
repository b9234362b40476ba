// SPDX-License-Identifier: BSD-3-Clause
// Sizes as people write and read them. Own code, since the standard functions follow the decimal comma of the locale.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace gramian::base_detail {

/// "298.0 GiB": binary units, one decimal, rounded to nearest; "17 bytes" below 1 KiB.
inline std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  for (int unit = 0;; ++unit) {
    const int shift = 10 * (unit + 1);
    const std::uint64_t one = std::uint64_t{1} << shift;
    const std::uint64_t tenths = (bytes >> shift) * 10 + (((bytes & (one - 1)) * 10 + one / 2) >> shift);
    // 1023.96 KiB would read "1024.0 KiB": the next unit says it better.
    if (tenths < 10240 || unit == 5) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
  }
}

/// The unit that a letter stands for: 1024 for K or k, and so on; 0 for any other letter.
inline std::uint64_t byte_unit(char letter) {
  const std::string letters = "KMGTkmgt";
  const std::size_t place = letters.find(letter);
  return place == std::string::npos ? 0 : std::uint64_t{1} << (10 * (place % 4 + 1));
}

/// The unit in "", "B", "K", "KB" or "KiB" of letters of either size: all are powers of 1024; 0 if it is none of them.
inline std::uint64_t unit_named(std::string name) {
  const auto ends_with = [&](const char* letters) {
    return !name.empty() && std::string(letters).find(name.back()) != std::string::npos;
  };
  if (ends_with("bB")) {
    name.pop_back();
    if (name.size() > 1 && ends_with("iI")) name.pop_back();
  }
  return name.empty() ? 1 : name.size() == 1 ? byte_unit(name.front()) : 0;
}

/// The text without blanks at both ends.
inline std::string trimmed(const std::string& text) {
  const char* const blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The size in "1048576", "512K", "1.5G", "8GB", " 8 GiB "; none if the text is anything else or the size does not fit 64 bits.
inline std::optional<std::uint64_t> parse_bytes(const std::string& untrimmed) {
  const std::string text = trimmed(untrimmed);
  std::size_t at = 0;
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  if (!digit()) return std::nullopt;

  std::uint64_t whole = 0;
  for (; digit(); ++at) {
    const auto value = static_cast<std::uint64_t>(text[at] - '0');
    if (whole > (std::numeric_limits<std::uint64_t>::max() - value) / 10) return std::nullopt;
    whole = whole * 10 + value;
  }
  double fraction = 0.0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digit()) return std::nullopt;
    for (double weight = 0.1; digit(); ++at, weight /= 10) fraction += weight * (text[at] - '0');
  }
  const std::uint64_t unit = unit_named(trimmed(text.substr(at)));
  if (unit == 1) return fraction == 0.0 ? std::optional(whole) : std::nullopt;
  if (unit == 0 || whole >= std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
  return whole * unit + static_cast<std::uint64_t>(fraction * static_cast<double>(unit));
}

}  // namespace gramian::base_detail
