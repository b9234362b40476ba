// SPDX-License-Identifier: BSD-3-Clause
// Loops over what is small for one number and large for a million.
#pragma once

#include <algorithm>

#include "gramian/base/parallel.hpp"

namespace gramian {

inline Index count_pieces(Index count, Index size) { return (count + size - 1) / size; }

/// Rows of so many numbers each that make a piece worth a turn of its own.
inline Index rows_per_piece(Index numbers_per_row, Index fewest = 1) {
  constexpr Index numbers = Index(1) << 16, most = 1024;
  return std::clamp(numbers / std::max(numbers_per_row, Index(1)), fewest, most);
}

/// Calls run(first, last) for [0, count) in pieces of `size`: in parallel, and so that it can be stopped. One piece alone is not
/// worth the way through parallel_for.
template <class Run>
void for_pieces(Index count, Index size, double seconds_per_piece, Run run) {
  if (count <= size) {
    if (count > 0) run(Index(0), count);
    return;
  }
  parallel_for(count_pieces(count, size), seconds_per_piece,
               [&](Index piece, int) { run(piece * size, std::min(count, (piece + 1) * size)); });
}

/// Calls fill(first, last) for all rows in pieces.
template <class Fill>
void fill_rows(Index rows, Index columns, Fill fill) {
  const Index rows_per_task = rows_per_piece(columns);
  for_pieces(rows, rows_per_task, 1e-9 * static_cast<double>(rows_per_task * columns), fill);
}

}  // namespace gramian
