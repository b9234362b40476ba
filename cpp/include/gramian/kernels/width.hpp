// SPDX-License-Identifier: BSD-3-Clause
// The width of a kernel that nobody has chosen.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A kernel of the registry with the length of the Gaussian of this gamma, 1 / sqrt(2 gamma). A kernel without a length stays as
/// it is. A product over the features with a kink, exp(-|x - y|_1 / length), gets sqrt(features) times that length, because
/// |x - y|_1 <= sqrt(features) |x - y|: otherwise it would vanish where there are many features. Throws std::invalid_argument
/// for a combination of kernels, for length scales, and for a gamma that is not a number above 0.
GRAMIAN_API Kernel with_width(const Kernel& kernel, double gamma, Index features);

}  // namespace gramian
