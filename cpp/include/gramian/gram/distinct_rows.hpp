// SPDX-License-Identifier: BSD-3-Clause
// Samples that are there several times.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/gram/points.hpp"

namespace gramian {

/// Rows in an order in which equal ones are neighbours.
struct DistinctRows {
  std::vector<Index> order;  ///< the rows that were asked for, equal ones beside each other
  std::vector<char> first;   ///< for each of them whether it differs from the one before
};

/// Rows are equal if their points and their labels are; zeros have no sign, and entries that are stored twice add up. The order
/// is that of `keys`, a hash of each row with its label, so that it depends on the rows only, not on their places; of
/// equal rows it is that of `rows`. Different rows may have one key: then the order is that of the numbers. O(n log n), and O(d)
/// for each row whose key another one has. Throws std::invalid_argument for points that are not float64.
GRAMIAN_API DistinctRows distinct_rows(const Points& X, const Index* labels, const std::vector<Index>& rows,
                                       const std::uint64_t* keys);

}  // namespace gramian
