// SPDX-License-Identifier: BSD-3-Clause
// Rows in pieces with sums of their own, whatever the number of threads.
#pragma once

#include <algorithm>

#include "gramian/base/parallel.hpp"

namespace gramian {

inline Index pieces_of(Index rows) {
  constexpr Index most_pieces = 16, rows_in_piece = 512;
  return std::clamp((rows + rows_in_piece - 1) / rows_in_piece, Index(1), most_pieces);
}

/// each(piece, first row, last row)
template <class Each>
void each_piece(Index rows, Index columns, Each each) {
  constexpr double seconds_per_number = 0.4e-9;
  const Index pieces = pieces_of(rows);
  const double seconds = seconds_per_number * static_cast<double>(rows / pieces * columns);
  parallel_for(pieces, seconds, [&](Index piece, int) { each(piece, rows * piece / pieces, rows * (piece + 1) / pieces); });
}

}  // namespace gramian
