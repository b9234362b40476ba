// SPDX-License-Identifier: BSD-3-Clause
// The numbers of one point, whichever way they are stored.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/points.hpp"

namespace gramian {

inline void require_float64(const Points& X, const char* name) {
  require(X.scalar() == Scalar::float64, std::string(name) + " must be float64");
}

/// Column and value of what is not zero, by column; what is stored twice is added up.
using RowEntries = std::vector<std::pair<Index, double>>;

RowEntries entries_of(const Points& X, Index row);

}  // namespace gramian
