// SPDX-License-Identifier: BSD-3-Clause
// How wide a kernel should be where nobody says so.
#pragma once

#include <vector>

#include "gramian/gram/source.hpp"

namespace gramian {

/// 1 / the median of |x_i - x_j|^2 over all pairs of at most 1000 samples, drawn once and for all; of the mean if the median is
/// 0, 1 if all samples are equal: the gamma of a Gaussian kernel that nobody chose. Throws std::invalid_argument for no samples,
/// float32, or entries that are not finite.
GRAMIAN_API double median_gamma(const PointSource& input);
/// The same of samples that are there as often as their weights say, 0 or greater: copies of one are at distance 0 of each other.
GRAMIAN_API double median_gamma(const PointSource& input, const std::vector<double>& weights);

}  // namespace gramian
