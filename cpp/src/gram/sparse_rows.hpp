// SPDX-License-Identifier: BSD-3-Clause
// Rows of sparse points: checked, and with their columns in order.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"

namespace gramian {

/// Throws std::invalid_argument naming `name` and the row, of which the first is called `first_row`, if row_start is not
/// ascending from 0 or above, a column is out of range, or an entry is not finite. Checked once, so that the loops may trust it.
template <class T>
void check_sparse(const SparseRows<T>& X, const char* name, Index first_row = 0);

/// Says that the square of an entry of this row overflows.
[[noreturn]] void refuse_square(const char* name, Index row);

struct SparseEntry {
  Index column;
  double value;
};

/// The entries of a row with its columns ascending, each once: repeated ones are added up. Takes memory that is there already.
void sort_row(const SparseRows<double>& X, Index row, std::vector<SparseEntry>& out);

/// Their squares are added in the same order as the products of two such rows: a row has no distance from itself.
double square_of(const std::vector<SparseEntry>& row);

}  // namespace gramian
