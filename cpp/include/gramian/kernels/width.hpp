// SPDX-License-Identifier: BSD-3-Clause
// The width of a kernel that nobody has chosen.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A kernel with the length of the Gaussian of this gamma, 1 / sqrt(2 gamma). A kernel without a length stays as it is. A product
/// over the features with a kink, exp(-|x - y|_1 / length), gets sqrt(features) times that length, because
/// |x - y|_1 <= sqrt(features) |x - y|: otherwise it would vanish where there are many features. In a sum each part gets it, and
/// a multiple of the inner product becomes that of points divided by the length. Throws std::invalid_argument for a product, for
/// a kernel on images, for length scales, and for a gamma that is not a number above 0.
GRAMIAN_API Kernel with_width(const Kernel& kernel, double gamma, Index features);

}  // namespace gramian
