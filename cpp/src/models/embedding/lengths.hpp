// SPDX-License-Identifier: BSD-3-Clause
// The lengths over which kernels decay, whatever their parameters are called.
#pragma once

#include <vector>

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian::embedding {

/// Every length times the factor; kernels without lengths stay as they are.
Kernel with_scaled_lengths(const Kernel& kernel, double factor);

/// Every length, of each feature too, is this one.
Kernel with_lengths(const Kernel& kernel, double length);

/// For each of Kernel::parameters(), whether it is the width of a kernel that has a length for each feature as well: one of the
/// two is enough, and to learn both would only make the lengths move twice as fast.
std::vector<bool> widths_beside_lengths(const Kernel& kernel);

/// The median distance between points, of at most a thousand of them; 1 if they are all equal.
double median_length(const Points& X);

}  // namespace gramian::embedding
