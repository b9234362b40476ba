// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/index.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"

namespace gramian {

Index checked_product(Index a, Index b) {
  require(a >= 0 && b >= 0, "a size is negative");
  if (a != 0 && b > std::numeric_limits<Index>::max() / a) {
    throw std::length_error("a size of " + std::to_string(a) + " x " + std::to_string(b) + " does not fit 64 bits");
  }
  return a * b;
}

}  // namespace gramian
