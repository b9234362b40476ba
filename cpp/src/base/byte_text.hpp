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

/// The size in "1048576", "512K", "1.5G"; none if the text is anything else or the size does not fit 64 bits.
inline std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  std::size_t at = 0;
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  if (!digit()) return std::nullopt;

  std::uint64_t whole = 0;
  for (; digit(); ++at) {
    const auto value = static_cast<std::uint64_t>(text[at] - '0');
    if (whole > (std::numeric_limits<std::uint64_t>::max() - value) / 10) return std::nullopt;
    whole = whole * 10 + value;
  }
  if (at == text.size()) return whole;

  double fraction = 0.0;
  if (text[at] == '.') {
    ++at;
    if (!digit()) return std::nullopt;
    for (double weight = 0.1; digit(); ++at, weight /= 10) fraction += weight * (text[at] - '0');
  }
  const std::uint64_t unit = at + 1 == text.size() ? byte_unit(text[at]) : 0;
  if (unit == 0 || whole >= std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
  return whole * unit + static_cast<std::uint64_t>(fraction * static_cast<double>(unit));
}

}  // namespace gramian::base_detail
