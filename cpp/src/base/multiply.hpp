// SPDX-License-Identifier: BSD-3-Clause
// 64 x 64 -> 128 bits, which not every compiler has.
#pragma once

#include <cstdint>

namespace gramian::base_detail {

struct Wide {
  std::uint64_t high;
  std::uint64_t low;
};

inline Wide multiply_halves(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = 0xFFFFFFFFu;
  const std::uint64_t a_low = a & mask, a_high = a >> 32;
  const std::uint64_t b_low = b & mask, b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t left = a_high * b_low + (low >> 32);     // at most (2^32 - 1) 2^32
  const std::uint64_t right = a_low * b_high + (left & mask);  // likewise
  return {a_high * b_high + (left >> 32) + (right >> 32), (right << 32) | (low & mask)};
}

#if defined(__SIZEOF_INT128__)
inline Wide multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ typedef unsigned __int128 Wide128;
  const Wide128 product = static_cast<Wide128>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}
#else
inline Wide multiply(std::uint64_t a, std::uint64_t b) { return multiply_halves(a, b); }
#endif

}  // namespace gramian::base_detail
