// SPDX-License-Identifier: BSD-3-Clause
#include "gram/tile_block.hpp"

#include <cmath>

namespace gramian {

TilePair pair_in_triangle(Index index) {
  Index row = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(index) + 1.0) - 1.0) / 2.0);
  while ((row + 1) * (row + 2) / 2 <= index) ++row;
  while (row * (row + 1) / 2 > index) --row;
  return {row, index - row * (row + 1) / 2};
}

}  // namespace gramian
