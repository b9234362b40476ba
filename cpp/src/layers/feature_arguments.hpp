// SPDX-License-Identifier: BSD-3-Clause
// What every feature map checks, and how its passes are cut.
#pragma once

#include <algorithm>

#include "gramian/base/parallel.hpp"
#include "gramian/layers/feature_map.hpp"

namespace gramian {

/// Throws std::invalid_argument unless X and Z have as many columns as the features have inputs and outputs, and equally many
/// rows.
void check_forward(const FeatureMap& features, MatrixView<const double> X, MatrixView<const double> Z);

/// The same for the reverse of a pass through `rows` rows; a negative number says that there was none.
void check_reverse(const FeatureMap& features, Index rows, MatrixView<const double> Zbar);

/// Throws MemoryLimitError if a pass through `rows` rows that keeps so many numbers a row does not fit.
void require_pass_memory(Index rows, Index numbers_in_row);

/// Rows of a block of a pass: what a task takes, and what a sum over rows is cut into.
inline Index rows_in_block(Index columns) { return std::max<Index>(8, (Index(1) << 15) / std::max<Index>(1, columns)); }

inline Index blocks_of(Index rows, Index columns) { return (rows + rows_in_block(columns) - 1) / rows_in_block(columns); }

/// run(block, first row, last row) for all blocks.
template <class Run>
void for_row_blocks(Index rows, Index columns, double seconds_per_number, Run run) {
  const Index step = rows_in_block(columns);
  parallel_for(blocks_of(rows, columns), static_cast<double>(step * columns) * seconds_per_number,
               [&](Index block, int) { run(block, block * step, std::min(rows, (block + 1) * step)); });
}

}  // namespace gramian
