// SPDX-License-Identifier: BSD-3-Clause
// Some rows that stand for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// How choose_subset() chooses rows.
enum class SubsetMethod {
  random,          ///< each row as likely as the others
  leverage_score,  ///< in proportion to approximate ridge leverage scores: rows that others can't replace come first
  renyi_entropy    ///< swaps while these raise the quadratic Renyi entropy -log sum_ij k(x_i, x_j): spread over the data
};

/// Options of choose_subset().
struct SubsetOptions {
  std::uint64_t seed = 0;
  /// Of leverage_score: lambda of k_ii - k_iS (K_SS + n lambda I)^-1 k_Si, relative to the mean of k(x, x); 0: 1 / n.
  double ridge = 0.0;
  Index swaps = 0;  ///< of renyi_entropy, that are tried; 0: n
};

/// `count` different rows, ascending. random: O(n). leverage_score: O(n count d + n count^2) through a uniform sample S of as
/// many rows. renyi_entropy: O(count d) for each swap. The same rows for any number of threads. Throws std::invalid_argument for
/// count not in 1 .. X.size(), points that are not dense float64, options out of their range.
GRAMIAN_API std::vector<Index> choose_subset(const Kernel& kernel, const Points& X, Index count, SubsetMethod method,
                                             const SubsetOptions& options = {});

}  // namespace gramian
