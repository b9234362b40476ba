// SPDX-License-Identifier: BSD-3-Clause
// How wide a kernel should be where nobody says so.
#pragma once

#include "gramian/gram/source.hpp"

namespace gramian {

/// 1 / the median of |x_i - x_j|^2 over all pairs of at most 1000 samples, drawn once and for all; of the mean if the median is
/// 0, 1 if all samples are equal: the gamma of a Gaussian kernel that nobody chose. Throws std::invalid_argument for no samples,
/// float32, or entries that are not finite.
GRAMIAN_API double median_gamma(const PointSource& input);

}  // namespace gramian
