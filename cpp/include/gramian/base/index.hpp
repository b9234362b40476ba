// SPDX-License-Identifier: BSD-3-Clause
// Sizes and indices are 64-bit and signed everywhere: n = 46 341 squared no longer fits 32 bits.
#pragma once

#include <cstdint>

#include "gramian/base/export.hpp"

namespace gramian {

/// A size, a count or the number of a row.
using Index = std::int64_t;

/// a * b for sizes. Throws std::invalid_argument if either is negative, std::length_error if the product overflows.
GRAMIAN_API Index checked_product(Index a, Index b);

}  // namespace gramian
