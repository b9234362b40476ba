// SPDX-License-Identifier: BSD-3-Clause
// The limit where nobody has set one, from what was read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "gramian/base/memory.hpp"

namespace gramian::base_detail {

/// Bytes left in the machine and in its containers, if the system says so. What is kept can be had again.
inline MemoryReport default_limit(std::optional<std::uint64_t> machine, std::optional<std::uint64_t> container,
                                  std::uint64_t kept) {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  if (!machine && !container) return {unknown, unknown, "the system does not say how much is free", kept};
  const bool contained = container && *container < machine.value_or(unknown);
  const std::uint64_t left = contained ? *container : *machine;
  const std::uint64_t available = left + std::min(kept, unknown - left);
  const std::uint64_t limit = available / 10 * 9 + available % 10 * 9 / 10;  // no overflow, whatever the system says
  return {available, limit, contained ? "90 % of what is free in this container" : "90 % of what is free", kept};
}

}  // namespace gramian::base_detail
